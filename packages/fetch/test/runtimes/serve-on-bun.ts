import type { BunServer } from '@ng-ssr/fetch/server';
import { createBareApp } from '../apps/bare-app.ts';
import { runChildServer } from './child-server.ts';

declare const Bun: {
  serve(options: object): BunServer & { readonly port: number; stop(): Promise<void> };
};

await runChildServer((ssr) => {
  const fetch = createBareApp(ssr);
  // In seconds: Bun waits this long for bytes that a file has lost.
  const server = Bun.serve({ port: 0, idleTimeout: 4, fetch });
  return { fetch, server, port: server.port, stop: async () => server.stop() };
});
