import { createKeptConnectionClient, defineConformanceSuite } from '@ng-ssr/conformance';
import { createFixtureServer } from './conformance-server.ts';

defineConformanceSuite({
  name: 'node-socket-hits',
  hits: ['before-middleware'],
  createServer: async (options, hits) => {
    const server = createFixtureServer({ ...options, hits });
    const { port } = await server.listen({ port: 0, announce: false });
    const client = createKeptConnectionClient(port, '/robots.txt');
    return { port, client, ready: server.ready, close: server.close };
  },
});
