import { createBareApp } from '../apps/bare-app.ts';
import { runChildServer } from './child-server.ts';

declare const Deno: {
  serve(
    options: object,
    handler: (request: Request) => Response | Promise<Response>,
  ): { readonly addr: { readonly port: number }; shutdown(): Promise<void> };
};

await runChildServer((ssr) => {
  const fetch = createBareApp(ssr);
  const server = Deno.serve({ port: 0, onListen: () => undefined }, fetch);
  return { fetch, port: server.addr.port, stop: () => server.shutdown() };
});
