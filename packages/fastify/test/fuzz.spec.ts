import { defineSocketFuzz } from '@ng-ssr/conformance';
import { createFastifySsrServer } from '@ng-ssr/fastify/server';

defineSocketFuzz({
  name: 'fastify',
  serveHits: ['after-middleware', 'before-middleware'],
  createServer: async (options, serveHits) => {
    const server = createFastifySsrServer({ ...options, serveHits });
    const { port } = await server.listen({ port: 0, announce: false });
    return { port, close: server.close };
  },
});
