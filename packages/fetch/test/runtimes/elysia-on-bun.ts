import { createElysiaApp } from '../apps/elysia-app.ts';
import { runChildServer } from './child-server.ts';

await runChildServer((ssr) => {
  const app = createElysiaApp(ssr).listen(0);
  return { port: app.server!.port!, stop: () => app.stop() };
});
