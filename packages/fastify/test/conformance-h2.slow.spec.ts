import { createServer } from 'node:http2';
import { createHttp2Client, defineConformanceSuite } from '@ng-ssr/conformance';
import { withCalls, withSlots } from '@ng-ssr/fastify/server';
import { createFixtureServer } from './conformance-server.ts';

defineConformanceSuite({
  name: 'fastify-h2',
  features: { withCalls, withSlots },
  isVariant: true,
  // Early hits are written by the same function, whatever the protocol: see conformance.spec.ts.
  serveHits: ['after-middleware'],
  protocol: 'h2',
  createServer: async (options, serveHits) => {
    const server = createFixtureServer({ ...options, serveHits });
    const http2 = createServer(server.reqHandler);
    const { port } = await server.listen({ port: 0, server: http2, announce: false });
    return { client: createHttp2Client(port), ready: server.ready, close: server.close };
  },
});
