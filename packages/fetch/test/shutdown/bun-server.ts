import { createFetchSsrHandler } from '@ng-ssr/fetch/server';
import { options, tell } from '../../../node/test/shutdown/child.ts';
import { Bun, stop } from './bun.ts';
import { closing, endOnSigterm } from './end-on-sigterm.ts';

const ssr = createFetchSsrHandler(options);
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: closing(ssr, async (request) =>
    request.url.endsWith('/api/echo') ? new Response(await request.text()) : ssr(request),
  ),
});
endOnSigterm(ssr, () => stop(server));
tell(server.port);
