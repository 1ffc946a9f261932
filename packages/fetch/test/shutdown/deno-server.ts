import { createFetchSsrHandler } from '@ng-ssr/fetch/server';
import { options, tell } from '../../../node/test/shutdown/child.ts';
import { closing, endOnSigterm } from './end-on-sigterm.ts';

declare const Deno: {
  serve(
    options: object,
    handler: (request: Request) => Response | Promise<Response>,
  ): { readonly addr: { readonly port: number }; shutdown(): Promise<void> };
};

const ssr = createFetchSsrHandler(options);
const server = Deno.serve(
  { port: 0, hostname: '127.0.0.1', onListen: () => undefined },
  closing(ssr, async (request) =>
    request.url.endsWith('/api/echo') ? new Response(await request.text()) : ssr(request),
  ),
);
endOnSigterm(ssr, () => server.shutdown());
tell(server.addr.port);
