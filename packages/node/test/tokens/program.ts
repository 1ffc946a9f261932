/** A server whose pages call an API with and without credentials, as a process of its own. */
import type { CallRule, CallRules } from '@ng-ssr/core';
import {
  createNodeSsrServer,
  withCalls,
  withRenderThreads,
  withSharedStore,
} from '@ng-ssr/node/server';
import { redisPageStore } from '@ng-ssr/redis';
import { createPages } from './pages.ts';

/** The settings of a program, as its first argument. */
export interface TokenProgramSettings {
  readonly folder: string;
  readonly api: string;
  /** The URL of a Redis that programs share; undefined without one. */
  readonly redis: string | undefined;
  readonly workers: number;
}

const { folder, api, redis, workers } = JSON.parse(process.argv[2]!) as TokenProgramSettings;

const PERSONAL = ['cookie', 'authorization', 'x-session'];
const STORED: CallRule = { cache: { sMaxAge: 60, vary: { cookies: ['currency'] } } };

const calls: CallRules = {
  [`${api}/forwarded`]: { ...STORED, forward: PERSONAL },
  [`${api}/joined`]: { dedupe: true, forward: PERSONAL },
  [`${api}/batch`]: { dedupe: true, forward: [...PERSONAL, 'origin', 'baggage'] },
  [`${api}/kept`]: { cache: 'shared', forward: PERSONAL },
  [`${api}/session`]: { cache: { sMaxAge: 60 } },
  [`${api}/redirect`]: { dedupe: true, forward: ['cookie'] },
  [`${api}/limited`]: { concurrency: 2, forward: PERSONAL },
  '/inner/**': { inProcess: true, cache: 'shared', forward: ['cookie'] },
  '**': STORED,
};

const EXPECTED: readonly string[] = ['NG_SSR_CALL_NOTICE', 'NG_SSR_STORE_UNAVAILABLE'];
const vary = { query: ['call'], cookies: ['currency'] };
const server = createNodeSsrServer({
  engine: createPages(api),
  allowedHosts: ['shop.example'],
  files: { folder },
  errorDetails: false,
  routeRules: { '/ruled/**': { sMaxAge: 60, vary }, '/life/**': { freshness: 'calls', vary } },
  cache: { maxBytes: 4 * 1024 * 1024 },
  features: [
    withCalls(calls, { maxBytes: 1024 * 1024 }),
    withRenderThreads({ threads: workers }),
    ...(redis
      ? [withSharedStore(redisPageStore({ url: redis, timeoutMs: 20_000 }), { buildId: 'tokens' })]
      : []),
  ],
  render: {
    concurrency: 64,
    maxQueued: 10_000,
    maxWaitMs: 60_000,
    timeoutMs: 60_000,
  },
  onError: (error) => {
    if (!EXPECTED.includes(error.code)) console.error(error);
  },
});

if (server.isMainModule(import.meta.url)) {
  const { port } = await server.listen({ port: 0, host: '127.0.0.1', announce: false });
  await server.ready();
  process.send!({ port });
  process.on('disconnect', () => process.exit());
}
