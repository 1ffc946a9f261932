import { createServer } from 'node:http2';
import {
  createHttp2Client,
  defineConformanceSuite,
  koaFixtureMiddleware,
  koaFixtureRoutes,
} from '@ng-ssr/conformance';
import { createKoaSsrServer, withCalls, withSlots } from '@ng-ssr/koa/server';

defineConformanceSuite({
  name: 'koa-h2',
  features: { withCalls, withSlots },
  isVariant: true,
  // Early hits are written by the same function, whatever the protocol: see conformance.spec.ts.
  serveHits: ['after-middleware'],
  protocol: 'h2',
  createServer: async (options, serveHits) => {
    const server = createKoaSsrServer({ ...options, serveHits });
    server.app.use(koaFixtureMiddleware);
    koaFixtureRoutes(server.router);
    const { port } = await server.listen({
      port: 0,
      server: createServer(server.reqHandler),
      announce: false,
    });
    return { client: createHttp2Client(port), ready: server.ready, close: server.close };
  },
});
