import { createElysiaApp } from '../apps/elysia-app.ts';
import { runChildServer } from './child-server.ts';

await runChildServer((ssr) => {
  // As Bun.serve has it, in seconds: so long Bun waits for bytes that a file has lost.
  const app = createElysiaApp(ssr).listen({ port: 0, idleTimeout: 10 });
  return { port: app.server!.port!, stop: () => app.stop() };
});
