import {
  defineConformanceSuite,
  koaFixtureMiddleware,
  koaFixtureRoutes,
} from '@ng-ssr/conformance';
import { createKoaSsrServer, withCalls, withSlots } from '@ng-ssr/koa/server';

defineConformanceSuite({
  name: 'koa',
  features: { withCalls, withSlots },
  serveHits: ['after-middleware', 'before-middleware'],
  createServer: async (options, serveHits) => {
    const server = createKoaSsrServer({ ...options, serveHits });
    server.app.use(koaFixtureMiddleware);
    koaFixtureRoutes(server.router);
    const { port } = await server.listen({ port: 0, announce: false });
    return { port, ready: server.ready, close: server.close };
  },
});
