import { defineSocketFuzz } from '@ng-ssr/conformance';
import { createFastifySsrServer } from '@ng-ssr/fastify/server';

defineSocketFuzz({
  name: 'fastify',
  hits: ['after-middleware', 'before-middleware'],
  createServer: async (options, hits) => {
    const server = createFastifySsrServer({ ...options, hits });
    const { port } = await server.listen({ port: 0, announce: false });
    return { port, close: server.close };
  },
});
