import {
  defineConformanceSuite,
  FIXTURE_ROUTES,
  fixtureMiddleware,
  fixtureRoutes,
} from '@ng-ssr/conformance';
import { createExpressSsrServer } from '@ng-ssr/express/server';
import { expressName } from './express-version.ts';

defineConformanceSuite({
  name: expressName,
  hits:
    expressName === 'express-4' ? ['after-middleware'] : ['after-middleware', 'before-middleware'],
  createServer: async (options, hits) => {
    const server = createExpressSsrServer({ ...options, hits });
    server.app.use(fixtureMiddleware);
    for (const [method, path] of FIXTURE_ROUTES) {
      server.router.route(path)[method === 'GET' ? 'get' : 'post'](fixtureRoutes);
    }
    const { port } = await server.listen({ port: 0, announce: false });
    return { port, ready: server.ready, close: server.close };
  },
});
