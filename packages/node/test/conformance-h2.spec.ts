import { createServer } from 'node:http2';
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
    const server = createServer(ssr.reqHandler);
    const { port } = await ssr.listen({ port: 0, server, announce: false });
    return { client: createHttp2Client(port), ready: ssr.ready, close: ssr.close };
  },
});
