import { defineConformanceSuite, fixtureMiddleware, fixtureRoutes } from '@ng-ssr/conformance';
import { createExpressSsrServer } from '@ng-ssr/express/server';
import { expressName } from './express-version.ts';

defineConformanceSuite({
  name: expressName,
  lanes: ['pipeline', 'front'],
  createServer: async (options, lane) => {
    const server = createExpressSsrServer({ ...options, lane });
    server.app.use(fixtureMiddleware);
    server.router.use(fixtureRoutes);
    const { port } = await server.listen({ port: 0, announce: false });
    return { port, ready: server.ready, close: server.close };
  },
});
