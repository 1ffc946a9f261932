/** A server that listens as its environment and its arguments say: for inherited-socket.spec.ts. */
import { createFastifySsrServer } from '@ng-ssr/fastify/server';
import { createNodeSsrServer, withServerThreads } from '@ng-ssr/node/server';

const [name, listen = '{}', threads] = process.argv.slice(2);
const create = name === 'fastify' ? createFastifySsrServer : createNodeSsrServer;
const server = create({
  engine: () => new Response('page', { headers: { 'content-type': 'text/html' } }),
  allowedHosts: ['127.0.0.1', 'localhost'],
  features: threads === undefined ? [] : [withServerThreads({ threads: Number(threads) })],
});

try {
  const { url, port } = await server.listen({ announce: false, ...JSON.parse(listen) });
  const { LISTEN_FDS: left } = process.env;
  process.stdout.write(`${JSON.stringify({ url, port, left })}\n`);
} catch (error) {
  process.stdout.write(`${JSON.stringify({ error: (error as Error).message })}\n`);
  process.exitCode = 1;
}
