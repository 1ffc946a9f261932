/** A program that serves in two threads, each of which runs it. */
import {
  connectToSuite,
  FIXTURE_ROUTES,
  fixtureMiddleware,
  fixtureRoutes,
} from '@ng-ssr/conformance/child';
import { createNodeSsrServer } from '@ng-ssr/node/server';

const { hits, options, serve } = connectToSuite();
const server = createNodeSsrServer({ ...options, hits });
server.use(fixtureMiddleware);
for (const [method, path] of FIXTURE_ROUTES) {
  server.router.on(method, path, (request, response) => fixtureRoutes(request, response));
}
const { port } = await server.listen({ port: 0, announce: false, threads: 2 });
await serve({ port, ready: server.ready, close: server.close });
