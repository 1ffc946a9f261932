/** A program whose pages are rendered in a thread, which runs it, too. */
import {
  connectToSuite,
  koaFixtureMiddleware,
  koaFixtureRoutes,
  onlyInThreads,
} from '@ng-ssr/conformance/child';
import { createKoaSsrServer } from '@ng-ssr/koa/server';

const { lane, options, serve } = connectToSuite();
const engine = onlyInThreads(options.engine);
const server = createKoaSsrServer({
  ...options,
  engine,
  lane,
  render: { ...options.render, workers: 1 },
});
server.app.use(koaFixtureMiddleware);
koaFixtureRoutes(server.router);
if (server.isMain(import.meta.url)) {
  const { port } = await server.listen({ port: 0, announce: false });
  await serve({ port, ready: server.ready, close: server.close });
}
