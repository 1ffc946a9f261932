/** A program that serves in threads; its settings are the JSON in its first argument. */
import cluster from 'node:cluster';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isMainThread, threadId } from 'node:worker_threads';
import type { PageStore, SsrError } from '@ng-ssr/core';
import {
  createNodeSsrServer,
  withDictionaries,
  withEarlyHints,
  withInspector,
  withPurgeEndpoint,
  withRenderThreads,
  withRouter,
  withServerThreads,
  withSharedStore,
  withSlots,
} from '@ng-ssr/node/server';
import { collectMetrics } from '@ng-ssr/node/prometheus';
import { Registry } from 'prom-client';

/** What the program is started with. */
export interface ProgramSettings {
  readonly folder: string;
  readonly port?: number;
  readonly threads?: number | 'auto';
  readonly maxBytes?: number;
  /** How many files of 64 KiB its build has besides. */
  readonly fonts?: number;
  /** Whether it serves in a worker of node:cluster. */
  readonly isForked?: boolean;
  /** Whether it waits until it is ready, and for a purge, before it listens. */
  readonly isReadyFirst?: boolean;
  /** What happens in the other threads in place of `listen`; with `no feature` they lack that of server threads. */
  readonly inThreads?: 'end' | 'fail' | 'no feature';
  /** Whether it has this feature. */
  readonly earlyHints?: boolean;
  readonly dictionaries?: boolean;
  /** Whether pages have a slot: after up to 50 ms the Cookie header of the request. */
  readonly slots?: boolean;
  /** Whether it has a store of pages, which notes among the errors of its thread what is asked of it. */
  readonly hasStore?: boolean;
  readonly renderThreads?: number;
  readonly concurrency?: number;
}

const settings = JSON.parse(process.argv[2]!) as ProgramSettings;
let renders = 0;

/** The time at which a render begins, by the clock of all processes, its number, and where it runs. */
async function engine({ url }: Request, context: unknown): Promise<Response> {
  const { pathname, searchParams } = new URL(url);
  const number = pathname === '/renders' ? renders : ++renders;
  const page = { at: String(process.hrtime.bigint()), number, threadId, context };
  await delay(Number(searchParams.get('ms') ?? 0));
  if (searchParams.has('held'))
    while (!existsSync(join(settings.folder, 'unblock'))) await delay(5);
  const text = `<html>${JSON.stringify(page)}</html>`.padEnd(3000, '.');
  const cacheControl = pathname.startsWith('/stored')
    ? (searchParams.get('cc') ?? 's-maxage=600')
    : 'no-store';
  return new Response(text, {
    headers: {
      'content-type': 'text/html',
      'cache-control': cacheControl,
      'cache-tag': `tag${pathname.length % 3}`,
    },
  });
}

async function cookieOf({ headers }: Request): Promise<string | null> {
  await delay(Math.floor(Math.random() * 51));
  return headers.get('cookie');
}

const errors: string[] = [];
const store: PageStore = {
  open: () => void errors.push('open'),
  version: () => 0,
  get: async () => undefined,
  set: async () => undefined,
  delete: async () => undefined,
  purge: async () => void errors.push('purge'),
  lease: async () => undefined,
  close: async () => undefined,
};
const server = createNodeSsrServer({
  engine,
  allowedHosts: ['127.0.0.1'],
  files: { folder: settings.folder, maxFileBytes: 100_000 },
  cache: { ...(settings.maxBytes !== undefined && { maxBytes: settings.maxBytes }) },
  render: {
    // No page is refused because the machine is busy.
    ...(settings.renderThreads !== undefined && { maxWaitMs: 100_000 }),
    ...(settings.concurrency !== undefined && { concurrency: settings.concurrency }),
  },
  features: [
    withRouter(),
    withRenderThreads({ threads: settings.renderThreads ?? 0 }),
    ...(isMainThread || settings.inThreads !== 'no feature'
      ? [withServerThreads({ threads: settings.threads ?? 2 })]
      : []),
    ...(settings.earlyHints === true ? [withEarlyHints()] : []),
    ...(settings.dictionaries === true ? [withDictionaries()] : []),
    ...(settings.slots === true ? [withSlots({ cookie: { fill: cookieOf } })] : []),
    ...(settings.hasStore === true ? [withSharedStore(store)] : []),
    withPurgeEndpoint({ path: '/purge', token: 'a-token-of-this-test' }),
    withInspector({ path: '/inspector', token: 'a-token-of-this-test' }),
  ],
  probes: { ready: '/readyz' },
  requestContext: (request) =>
    request.url?.startsWith('/context') ? { thread: threadId, run: wrong(request.url) } : null,
  onError: ({ code, message }: SsrError) => void errors.push(`${code} ${message}`),
});

function wrong(url: string): unknown {
  return url.includes('function') ? () => undefined : 'plain';
}

const registry = new Registry();
collectMetrics(registry);

server.use((_request, response, next) => {
  response.setHeader('X-Thread', String(threadId));
  next();
});
server.router.on('GET', '/api/errors', (_request, response) =>
  response.end(JSON.stringify(errors)),
);
server.router.on('GET', '/api/memory', (_request, response) =>
  response.end(String(process.memoryUsage().arrayBuffers)),
);
server.router.on('GET', '/api/metrics', async (_request, response) => {
  response.end(await registry.metrics());
});
server.router.on('GET', '/api/pages', async (_request, response) => {
  // What the main thread has said before has been read when it has replied.
  await server.cache.purge({ tag: 'nothing' });
  const { pages } = server.cache.inspect({ limit: 10_000 });
  response.end(JSON.stringify(pages.map(({ key }) => key)));
});
server.router.on('POST', '/api/refresh', async (_request, response) => {
  response.end(JSON.stringify(await server.cache.refresh({ path: '/stored/refreshed' })));
});
server.router.on('POST', '/api/crash', () => {
  setImmediate(() => {
    throw new Error('a crash of the test');
  });
});
// Its head is sent when the purge has been asked for, its end when all threads know it.
server.router.on('POST', '/api/purge', async (_request, response) => {
  const purged = server.cache.purge({ path: '/stored/purged' });
  response.flushHeaders();
  await purged;
  response.end();
});
// Ends between the message of a purge and its count.
server.router.on('POST', '/api/lose-purge', () => {
  Atomics.add = () => process.exit(1);
  void server.cache.purge({ path: '/stored/lost' });
});
server.router.on('POST', '/api/close', (_request, response) => {
  response.end();
  void server.close();
});
server.router.on('POST', '/api/block', (_request, response) => {
  response.end();
  while (!existsSync(join(settings.folder, 'unblock')));
});
// Changes a page: it is removed wherever it is stored.
server.router.on('POST', '/stored/*', (_request, response) => response.end());

if (settings.isForked && cluster.isPrimary) {
  cluster.fork();
} else if (isMainThread || (settings.inThreads ?? 'no feature') === 'no feature') {
  const { port = 0 } = settings;
  if (settings.isReadyFirst === true) {
    await server.ready();
    await server.cache.purge({ prefix: '/' });
  }
  try {
    const listening = await server.listen({ port, host: '127.0.0.1', announce: false });
    if (isMainThread) console.log(listening.port);
  } catch (error) {
    const { code, message } = error as SsrError;
    console.log(`${code} ${message}`);
    process.exit(3);
  }
} else if (settings.inThreads === 'fail') {
  throw new Error('a failure of the test');
}
