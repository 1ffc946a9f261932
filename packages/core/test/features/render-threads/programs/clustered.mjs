/**
 * A program of two processes: the first forks, the other listens and renders in threads. Each fork
 * leaves a line in a file. GUARDED: threads do not look at the cluster. FORKS_FIRST: the program looks
 * at it before it loads the server.
 */
import cluster, * as named from 'node:cluster';
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { isMainThread, threadId } from 'node:worker_threads';

const { FORKS, FORKS_FIRST, GENERATION = '0', GUARDED, OPTIONS } = process.env;
// The processes of a program that forks in threads would have no end.
if (Number(GENERATION) > 2) process.exit(0);

const { isPrimary } = cluster;
const mayFork = isPrimary && (isMainThread || !GUARDED);

function begin() {
  cluster.setupPrimary({ args: ['--verbose', 'a b'] });
  const env = { GENERATION: String(Number(GENERATION) + 1) };
  const worker = FORKS_FIRST ? cluster.fork(env) : named.fork(env);
  appendFileSync(FORKS, `${isMainThread ? 'process' : 'thread'} of generation ${GENERATION}\n`);
  worker.on('message', (message) => process.send?.(message));
}

if (FORKS_FIRST && mayFork) begin();
if (!isPrimary || !isMainThread) {
  const { SsrHandler } = await import('@ng-ssr/core/adapter');
  const { withRenderThreads } = await import('@ng-ssr/core');
  const { renderThreads, ...options } = JSON.parse(OPTIONS);
  const handler = new SsrHandler({
    engine: () => Response.json({ threadId, argv: process.argv }),
    allowedHosts: ['localhost'],
    onError: ({ code, message }) => process.send?.({ error: { code, message } }),
    features: [withRenderThreads(renderThreads)],
    ...options,
  });
  if (!FORKS_FIRST && mayFork) begin();
  if (isMainThread) {
    const server = createServer(async (request, response) => {
      const exchange = {
        method: request.method,
        target: request.url,
        encrypted: false,
        status: 200,
        header: (name) => (name === 'host' ? 'localhost' : request.headers[name]),
        headers: () => Object.entries({ ...request.headers, host: 'localhost' }),
        content: async () => undefined,
      };
      const { status, headers, body } = await handler.render(exchange);
      response.writeHead(status, headers).end(body);
    });
    await handler.ready();
    server.listen(0, () => {
      const { argv } = process;
      process.send({ origin: `http://localhost:${server.address().port}`, argv });
    });
  }
} else if (!FORKS_FIRST && mayFork) {
  begin();
}
