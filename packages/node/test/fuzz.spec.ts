import { defineSocketFuzz } from '@ng-ssr/conformance';
import { createNodeSsrServer } from '@ng-ssr/node/server';

defineSocketFuzz({
  name: 'node',
  hits: ['after-middleware', 'before-middleware'],
  createServer: async (options, hits) => {
    const server = createNodeSsrServer({ ...options, hits });
    const { port } = await server.listen({ port: 0, announce: false });
    return { port, close: server.close };
  },
});
