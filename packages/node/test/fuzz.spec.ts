import { defineSocketFuzz } from '@ng-ssr/conformance';
import { createNodeSsrServer } from '@ng-ssr/node/server';

defineSocketFuzz({
  name: 'node',
  serveHits: ['after-middleware', 'before-middleware'],
  createServer: async (options, serveHits) => {
    const server = createNodeSsrServer({ ...options, serveHits });
    const { port } = await server.listen({ port: 0, announce: false });
    return { port, close: server.close };
  },
});
