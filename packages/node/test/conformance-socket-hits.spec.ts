import {
  createKeptConnectionClient,
  defineConformanceSuite,
  FIXTURE_ROUTES,
  fixtureMiddleware,
  fixtureRoutes,
} from '@ng-ssr/conformance';
import { createNodeSsrServer } from '@ng-ssr/node/server';

defineConformanceSuite({
  name: 'node-socket-hits',
  hits: ['before-middleware'],
  createServer: async (options, hits) => {
    const server = createNodeSsrServer({ ...options, hits }).use(fixtureMiddleware);
    for (const [method, path] of FIXTURE_ROUTES) {
      server.router.on(method, path, (request, response) => fixtureRoutes(request, response));
    }
    const { port } = await server.listen({ port: 0, announce: false });
    const client = createKeptConnectionClient(port, '/robots.txt');
    return { port, client, ready: server.ready, close: server.close };
  },
});
