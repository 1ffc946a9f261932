import {
  CALLS,
  defineConformanceSuite,
  FIXTURE_ROUTES,
  fixtureMiddleware,
  fixtureRoutes,
} from '@ng-ssr/conformance';
import { createNodeSsrServer, withCalls } from '@ng-ssr/node/server';

defineConformanceSuite({
  name: 'node, calls',
  isVariant: true,
  // The whole suite with calls: nothing else may change by them.
  createServer: async ({ features = [], ...options }) => {
    const others = features.filter(({ name }) => name !== 'calls');
    const calls = withCalls({ '**': { timeoutMs: 20_000, inProcess: false }, ...CALLS });
    const server = createNodeSsrServer({ ...options, features: [...others, calls] }).use(
      fixtureMiddleware,
    );
    for (const [method, path] of FIXTURE_ROUTES) {
      server.router.on(method, path, (request, response) => fixtureRoutes(request, response));
    }
    const { port } = await server.listen({ port: 0, announce: false });
    return { port, ready: server.ready, close: server.close };
  },
});
