/** A server of several threads behind Varnish: its arguments are the browser folder and the edge's URL. */
import { isMainThread, threadId } from 'node:worker_threads';
import { varnishEdge } from '@ng-ssr/edge';
import { createNodeSsrServer, withEdge, withRouter, withServerThreads } from '@ng-ssr/node/server';

const [, , folder = '', url = ''] = process.argv;
const server = createNodeSsrServer({
  engine: () =>
    new Response('<!doctype html>', { headers: { 'content-type': 'text/html; charset=utf-8' } }),
  allowedHosts: ['127.0.0.1'],
  files: { folder },
  routeRules: { '/**': { sMaxAge: 600 } },
  features: [
    withRouter(),
    withEdge(varnishEdge({ url, settleMs: 0 })),
    withServerThreads({ threads: 3 }),
  ],
});
server.router.get('/-/thread', (_request, response) => {
  response.end(String(threadId));
});
server.router.get('/-/purge', async (_request, response) => {
  await server.cache.purge({ path: '/a', hard: true });
  response.end(String(threadId));
});
const { port } = await server.listen({ port: 0, host: '127.0.0.1', announce: false });
if (isMainThread) process.send?.({ port });
process.on('disconnect', () => process.exit());
