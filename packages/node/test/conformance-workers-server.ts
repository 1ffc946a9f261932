/** A program whose pages are rendered in a thread, which runs it, too. */
import {
  connectToSuite,
  FIXTURE_ROUTES,
  fixtureMiddleware,
  fixtureRoutes,
  onlyInThreads,
} from '@ng-ssr/conformance/child';
import { createNodeSsrServer } from '@ng-ssr/node/server';

const { hits, options, serve } = connectToSuite();
const engine = onlyInThreads(options.engine);
const server = createNodeSsrServer({
  ...options,
  engine,
  hits,
  render: { ...options.render, workers: 1 },
});
server.use(fixtureMiddleware);
for (const [method, path] of FIXTURE_ROUTES) {
  server.router.on(method, path, (request, response) => fixtureRoutes(request, response));
}
if (server.isMainModule(import.meta.url)) {
  const { port } = await server.listen({ port: 0, announce: false });
  await serve({ port, ready: server.ready, close: server.close });
}
