import { createFetchSsrHandler, type DenoServer, shutDownOnSignals } from '@ng-ssr/fetch/server';
import { options, shutdown, tell } from '../../../node/test/shutdown/child.ts';

declare const Deno: {
  serve(
    options: object,
    handler: (request: Request) => Response | Promise<Response>,
  ): DenoServer & { readonly addr: { readonly port: number } };
};

const ssr = createFetchSsrHandler(options);
const server = Deno.serve(
  { port: 0, hostname: '127.0.0.1', onListen: () => undefined },
  (request) => (request.url.endsWith('/api/echo') ? echo(request) : ssr(request)),
);
shutDownOnSignals(server, ssr, shutdown);
tell(server.addr.port);

/** A route of the user's. */
async function echo(request: Request): Promise<Response> {
  const headers = ssr.isDraining ? { connection: 'close' } : {};
  return new Response(await request.text(), { headers });
}
