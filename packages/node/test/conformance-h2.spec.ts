import { once } from 'node:events';
import { createServer } from 'node:http2';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  createHttp2Client,
  defineConformanceSuite,
  FIXTURE_ROUTES,
  fixtureMiddleware,
  fixtureRoutes,
} from '@ng-ssr/conformance';
import { createNodeSsrServer } from '@ng-ssr/node/server';

defineConformanceSuite({
  name: 'node-h2',
  // Early hits are written by the same function, whatever the protocol: see conformance.spec.ts.
  hits: ['after-middleware'],
  protocol: 'h2',
  createServer: async (options, hits) => {
    const ssr = createNodeSsrServer({ ...options, hits }).use(fixtureMiddleware);
    for (const [method, path] of FIXTURE_ROUTES) {
      ssr.router.on(method, path, (request, response) => fixtureRoutes(request, response));
    }
    // The compatibility API of node:http2, which has the shape of node:http's but not its types.
    const reqHandler = ssr.reqHandler as RequestListener as unknown as Parameters<
      typeof createServer
    >[1];
    const server = createServer(reqHandler).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return {
      client: createHttp2Client(port),
      ready: ssr.ready,
      close: async () => {
        await ssr.close();
        server.close();
        await once(server, 'close');
      },
    };
  },
});
