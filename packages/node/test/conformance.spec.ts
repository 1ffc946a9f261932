import { defineConformanceSuite } from '@ng-ssr/conformance';
import { withCalls, withSlots } from '@ng-ssr/node/server';
import { createFixtureServer } from './conformance-server.ts';

defineConformanceSuite({
  name: 'node',
  features: { withCalls, withSlots },
  isReference: true,
  serveHits: ['after-middleware', 'before-middleware'],
  createServer: async (options, serveHits) => {
    const server = createFixtureServer({ ...options, serveHits });
    const { port } = await server.listen({ port: 0, announce: false });
    return { port, ready: server.ready, close: server.close };
  },
});
