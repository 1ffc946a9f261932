import { defineSocketFuzz } from '@ng-ssr/conformance';
import { createKoaSsrServer } from '@ng-ssr/koa/server';

defineSocketFuzz({
  name: 'koa',
  lanes: ['pipeline', 'front'],
  createServer: async (options, lane) => {
    const server = createKoaSsrServer({ ...options, lane });
    const { port } = await server.listen({ port: 0, announce: false });
    return { port, close: server.close };
  },
});
