import { createFetchSsrHandler, shutDownOnSignals } from '@ng-ssr/fetch/server';
import { options, shutdown, tell } from '../../../node/test/shutdown/child.ts';
import { Bun } from './bun.ts';

const ssr = createFetchSsrHandler(options);
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch(request: Request, server: { upgrade(request: Request): boolean }) {
    if (request.url.endsWith('/api/socket') && server.upgrade(request)) return undefined;
    return request.url.endsWith('/api/echo') ? echo(request) : ssr(request);
  },
  websocket: { message: () => undefined },
});
shutDownOnSignals(server, ssr, shutdown);
tell(server.port);

/** A route of the user's. */
async function echo(request: Request): Promise<Response> {
  const headers = ssr.isDraining ? { connection: 'close' } : {};
  return new Response(await request.text(), { headers });
}
