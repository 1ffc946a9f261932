import { defineSocketFuzz } from '@ng-ssr/conformance';
import { createKoaSsrServer } from '@ng-ssr/koa/server';

defineSocketFuzz({
  name: 'koa',
  hits: ['after-middleware', 'before-middleware'],
  createServer: async (options, hits) => {
    const server = createKoaSsrServer({ ...options, hits });
    const { port } = await server.listen({ port: 0, announce: false });
    return { port, close: server.close };
  },
});
