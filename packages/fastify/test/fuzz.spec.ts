import { defineSocketFuzz } from '@ng-ssr/conformance';
import { createFastifySsrServer } from '@ng-ssr/fastify/server';

defineSocketFuzz({
  name: 'fastify',
  lanes: ['pipeline', 'front'],
  createServer: async (options, lane) => {
    const server = createFastifySsrServer({ ...options, lane });
    const { port } = await server.listen({ port: 0, announce: false });
    return { port, close: server.close };
  },
});
