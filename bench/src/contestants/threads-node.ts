/**
 * The node adapter on the files of a build, in THREADS server threads or under node:cluster in as many processes
 * (CLUSTER). Each thread runs this file again, so all that it needs is in the environment: FOLDER, HITS, and
 * PUBLIC_KEY where a middleware is to check the visitor's session.
 */
import cluster from 'node:cluster';
import { isMainThread } from 'node:worker_threads';
import { createNodeSsrServer } from '@ng-ssr/node/server';
import { readSession } from './session-token.ts';

const { env } = process;
const threads = Number(env['THREADS'] ?? 1);
const processes = Number(env['CLUSTER'] ?? 1);

function createServer(): ReturnType<typeof createNodeSsrServer> {
  const server = createNodeSsrServer({
    engine: () => null,
    allowedHosts: ['127.0.0.1'],
    files: { folder: env['FOLDER'] ?? '', maxBytes: 2 ** 30 },
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

/** A build without the option would listen on one thread, and its row would say nothing. */
async function checkOption(server: ReturnType<typeof createServer>): Promise<void> {
  const options = { port: 0, host: '127.0.0.1', announce: false, threads: -1 };
  const isKnown = await server.listen(options).then(
    () => false,
    () => true,
  );
  if (isKnown) return;
  console.error('Error: listen() has no option "threads" in this build');
  process.exit(1);
}

if (cluster.isPrimary && processes > 1) {
  let listening = 0;
  cluster.on('listening', (_worker, { port }) => {
    if (++listening === processes) console.log(`Listening on http://127.0.0.1:${port}/`);
  });
  for (let i = 0; i < processes; i++) cluster.fork();
} else {
  const server = createServer();
  if (isMainThread && threads > 1) await checkOption(server);
  // The primary process says it, once all others listen.
  const announce = cluster.isPrimary;
  const options = { port: 0, host: '127.0.0.1', announce, ...(threads > 1 ? { threads } : {}) };
  await server.listen(options);
}
