import { defineConformanceSuite } from '@ng-ssr/conformance';
import { withCalls, withSlots } from '@ng-ssr/express/server';
import { createFixtureServer } from './conformance-server.ts';
import { expressName } from './express-version.ts';

defineConformanceSuite({
  name: expressName,
  features: { withCalls, withSlots },
  serveHits:
    expressName === 'express-4' ? ['after-middleware'] : ['after-middleware', 'before-middleware'],
  createServer: async (options, serveHits) => {
    const server = createFixtureServer({ ...options, serveHits });
    const { port } = await server.listen({ port: 0, announce: false });
    return { port, ready: server.ready, close: server.close };
  },
});
