import { defineSocketFuzz } from '@ng-ssr/conformance';
import { createNodeSsrServer } from '@ng-ssr/node/server';

defineSocketFuzz({
  name: 'node',
  lanes: ['pipeline', 'front'],
  createServer: async (options, lane) => {
    const server = createNodeSsrServer({ ...options, lane });
    const { port } = await server.listen({ port: 0, announce: false });
    return { port, close: server.close };
  },
});
