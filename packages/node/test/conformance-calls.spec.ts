import {
  defineConformanceSuite,
  FIXTURE_ROUTES,
  fixtureMiddleware,
  fixtureRoutes,
} from '@ng-ssr/conformance';
import { createNodeSsrServer } from '@ng-ssr/node/server';

defineConformanceSuite({
  name: 'node, calls',
  isVariant: true,
  // The whole suite with calls: nothing else may change by them.
  createServer: async ({ calls, ...options }) => {
    const all = { '**': { timeoutMs: 20_000, inProcess: false }, ...calls };
    const server = createNodeSsrServer({ ...options, calls: all }).use(fixtureMiddleware);
    for (const [method, path] of FIXTURE_ROUTES) {
      server.router.on(method, path, (request, response) => fixtureRoutes(request, response));
    }
    const { port } = await server.listen({ port: 0, announce: false });
    return { port, ready: server.ready, close: server.close };
  },
});
