import { createKeptConnectionClient, defineConformanceSuite } from '@ng-ssr/conformance';
import { withCalls, withSlots } from '@ng-ssr/node/server';
import { createFixtureServer } from './conformance-server.ts';

defineConformanceSuite({
  name: 'node-socket-hits',
  features: { withCalls, withSlots },
  serveHits: ['before-middleware'],
  createServer: async (options, serveHits) => {
    const server = createFixtureServer({ ...options, serveHits });
    const { port } = await server.listen({ port: 0, announce: false });
    const client = createKeptConnectionClient(port, '/robots.txt');
    return { port, client, ready: server.ready, close: server.close };
  },
});
