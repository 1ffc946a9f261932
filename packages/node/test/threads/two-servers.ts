/** A program with two servers, of which only the first serves in threads. It prints their ports, and what its threads do. */
import { isMainThread, threadId } from 'node:worker_threads';
import { createNodeSsrServer, withServerThreads } from '@ng-ssr/node/server';

const engine = (): Response =>
  new Response(String(threadId), { headers: { 'content-type': 'text/html' } });
const options = { engine, allowedHosts: ['127.0.0.1'] };
const listen = { port: 0, host: '127.0.0.1', announce: false } as const;
const operators = createNodeSsrServer(options);
const shop = createNodeSsrServer({
  ...options,
  features: [withServerThreads({ threads: 2 })],
});
shop.use((_request, response, next) => {
  response.setHeader('X-Thread', String(threadId));
  next();
});
const { port: own, server } = await operators.listen(listen);
if (!isMainThread) console.log(JSON.stringify({ listens: server.listening }));
const { port } = await shop.listen(listen);
if (isMainThread) console.log(JSON.stringify({ own, port }));
