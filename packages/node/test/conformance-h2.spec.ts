import { createServer } from 'node:http2';
import { createHttp2Client, defineConformanceSuite } from '@ng-ssr/conformance';
import { withCalls, withSlots } from '@ng-ssr/node/server';
import { createFixtureServer } from './conformance-server.ts';

defineConformanceSuite({
  name: 'node-h2',
  features: { withCalls, withSlots },
  // Early hits are written by the same function, whatever the protocol: see conformance.spec.ts.
  serveHits: ['after-middleware'],
  protocol: 'h2',
  createServer: async (options, serveHits) => {
    const ssr = createFixtureServer({ ...options, serveHits });
    const server = createServer(ssr.reqHandler);
    const { port } = await ssr.listen({ port: 0, server, announce: false });
    return { client: createHttp2Client(port), ready: ssr.ready, close: ssr.close };
  },
});
