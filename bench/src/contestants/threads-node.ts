/**
 * The node adapter on the files of a build, in THREADS server threads or under node:cluster in as many processes
 * (CLUSTER). Each thread runs this file again, so all that it needs is in the environment: FOLDER, HITS, and
 * PUBLIC_KEY where a middleware is to check the visitor's session.
 */
import cluster from 'node:cluster';
import { createNodeSsrServer, withServerThreads } from '@ng-ssr/node/server';
import { readSession } from './session-token.ts';

const { env } = process;
const threads = Number(env['THREADS'] ?? 1);
const processes = Number(env['CLUSTER'] ?? 1);

function createServer(): ReturnType<typeof createNodeSsrServer> {
  const server = createNodeSsrServer({
    engine: () => null,
    allowedHosts: ['127.0.0.1'],
    files: { folder: env['FOLDER'] ?? '', maxBytes: 2 ** 30 },
    features: threads > 1 ? [withServerThreads({ threads })] : [],
    serveHits: env['HITS'] === 'before-middleware' ? 'before-middleware' : 'after-middleware',
  });
  const key = env['PUBLIC_KEY'];
  if (key !== undefined) {
    server.use((request, response, next) => {
      if (readSession(request.headers.cookie, key) !== undefined) next();
      else response.writeHead(401).end();
    });
  }
  return server;
}

if (cluster.isPrimary && processes > 1) {
  let listening = 0;
  cluster.on('listening', (_worker, { port }) => {
    if (++listening === processes) console.log(`Listening on http://127.0.0.1:${port}/`);
  });
  for (let i = 0; i < processes; i++) cluster.fork();
} else {
  const server = createServer();
  // The primary process says it, once all others listen.
  const announce = cluster.isPrimary;
  await server.listen({ port: 0, host: '127.0.0.1', announce });
}
