import type { DenoServer } from '@ng-ssr/fetch/server';
import { createBareApp } from '../apps/bare-app.ts';
import { runChildServer } from './child-server.ts';

declare const Deno: {
  serve(
    options: object,
    handler: (request: Request) => Response | Promise<Response>,
  ): DenoServer & { readonly addr: { readonly port: number } };
};

await runChildServer((ssr) => {
  const fetch = createBareApp(ssr);
  const server = Deno.serve({ port: 0, onListen: () => undefined }, fetch);
  return { fetch, server, port: server.addr.port, stop: () => server.shutdown() };
});
