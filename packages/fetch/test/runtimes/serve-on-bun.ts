import { createBareApp } from '../apps/bare-app.ts';
import { runChildServer } from './child-server.ts';

declare const Bun: {
  serve(options: object): { readonly port: number; stop(): Promise<void> };
};

await runChildServer((ssr) => {
  const server = Bun.serve({ port: 0, fetch: createBareApp(ssr) });
  return { port: server.port, stop: () => server.stop() };
});
