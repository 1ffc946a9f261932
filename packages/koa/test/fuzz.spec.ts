import { defineSocketFuzz } from '@ng-ssr/conformance';
import { createKoaSsrServer } from '@ng-ssr/koa/server';

defineSocketFuzz({
  name: 'koa',
  serveHits: ['after-middleware', 'before-middleware'],
  createServer: async (options, serveHits) => {
    const server = createKoaSsrServer({ ...options, serveHits });
    const { port } = await server.listen({ port: 0, announce: false });
    return { port, close: server.close };
  },
});
