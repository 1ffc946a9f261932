import { createServer } from 'node:http2';
import {
  createHttp2Client,
  defineConformanceSuite,
  FIXTURE_ROUTES,
  fixtureMiddleware,
  fixtureRoutes,
} from '@ng-ssr/conformance';
import { createExpressSsrServer } from '@ng-ssr/express/server';
import { expressName } from './express-version.ts';

defineConformanceSuite({
  name: `${expressName}-h2`,
  isVariant: true,
  // Early hits are written by the same function, whatever the protocol: see conformance.spec.ts.
  hits: ['after-middleware'],
  protocol: 'h2',
  createServer: async (options, hits) => {
    const server = createExpressSsrServer({ ...options, hits });
    server.app.use(fixtureMiddleware);
    for (const [method, path] of FIXTURE_ROUTES) {
      server.router.route(path)[method === 'GET' ? 'get' : 'post'](fixtureRoutes);
    }
    const { port } = await server.listen({
      port: 0,
      server: createServer(server.reqHandler),
      announce: false,
    });
    return { client: createHttp2Client(port), ready: server.ready, close: server.close };
  },
});
