import { createElysiaApp } from '../apps/elysia-app.ts';
import { runChildServer } from './child-server.ts';

await runChildServer((ssr) => {
  // In seconds: Bun waits this long for bytes that a file has lost.
  const app = createElysiaApp(ssr).listen({ port: 0, idleTimeout: 4 });
  return {
    fetch: (request) => app.handle(request),
    server: app.server!,
    port: app.server!.port!,
    stop: () => app.stop(),
  };
});
