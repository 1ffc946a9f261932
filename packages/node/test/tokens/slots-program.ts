/** A server whose pages have four slots, as a process of its own. It shares its pages with others in a Redis. */
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http2';
import { setTimeout as delay } from 'node:timers/promises';
import { isMainThread } from 'node:worker_threads';
import {
  createNodeSsrServer,
  withDictionaries,
  withInspector,
  withRequestLog,
  withRouter,
  withServerThreads,
  withSharedStore,
  withSlots,
} from '@ng-ssr/node/server';
import { collectMetrics } from '@ng-ssr/node/prometheus';
import { redisPageStore } from '@ng-ssr/redis';
import { Registry } from 'prom-client';
import { readPlan, SLOTS } from './slot-plans.ts';

/** The settings of a program, as its first argument. */
export interface SlotsProgramSettings {
  readonly folder: string;
  readonly redis: string;
  /** The file of its log. */
  readonly log: string;
  readonly protocol: 'http/1.1' | 'h2';
  readonly threads: number;
}

const TEXT = '<p>The same for all.</p>'.repeat(150);
const { folder, redis, log, protocol, threads } = JSON.parse(
  process.argv[2]!,
) as SlotsProgramSettings;

/** Pages show all that could be of one client: a rule that stores them leaves it out of their requests. */
function render({ url, headers }: Request): Response {
  const { pathname } = new URL(url);
  const shown = JSON.stringify([headers.get('cookie'), headers.get('authorization')]);
  return new Response(`<html><body><h1>${pathname}</h1>${TEXT}<p>${shown}</p></body></html>`, {
    headers: { 'content-type': 'text/html' },
  });
}

async function fill(slot: string, { headers }: Request): Promise<unknown> {
  const { token, delaysMs, fails, characters } = readPlan(headers.get('cookie')!);
  await delay(delaysMs[SLOTS.indexOf(slot)]);
  if (fails === slot) throw new Error(`the API of ${slot} has failed`);
  return { slot, token, markup: '</script><!--', text: 'x'.repeat(characters) };
}

const errors: string[] = [];
const server = createNodeSsrServer({
  engine: render,
  allowedHosts: ['127.0.0.1'],
  // Browsers may keep the home page: it is a dictionary for the others.
  files: { folder, cacheControl: () => 'public, max-age=60, stale-while-revalidate=60' },
  errorDetails: false,
  routeRules: {
    '/stored/**': { sMaxAge: 600 },
    // Rendered again and again, while stale pages are sent.
    '/brief/**': { sMaxAge: 1, staleWhileRevalidate: 60 },
    '/private/**': { cache: false },
  },
  features: [
    withRouter(),
    withSlots(
      // On a busy machine, none is late.
      Object.fromEntries(
        SLOTS.map((slot) => [slot, { fill: fill.bind(undefined, slot), timeoutMs: 60_000 }]),
      ),
    ),
    withDictionaries(),
    withSharedStore(redisPageStore({ url: redis, timeoutMs: 20_000 }), { buildId: 'slots' }),
    withRequestLog({
      headers: ['user-agent', 'accept-encoding'],
      write: (entries) =>
        appendFileSync(log, `${entries.map((each) => JSON.stringify(each)).join('\n')}\n`),
    }),
    withInspector({ path: '/inspector', token: 'a-token-of-this-test' }),
    withServerThreads({ threads }),
  ],
  render: { maxQueued: 10_000, maxWaitMs: 60_000, timeoutMs: 60_000 },
  onError: (error) => {
    const { code, message, cause } = error;
    errors.push(`${code} ${message} ${String(cause)}`);
  },
});

const registry = new Registry();
collectMetrics(registry);
server.router.on('GET', '/api/metrics', async (_request, response) => {
  response.end(await registry.metrics());
});
server.router.on('GET', '/api/errors', (_request, response) => {
  response.end(JSON.stringify(errors));
});

const options = { port: 0, host: '127.0.0.1', announce: false } as const;
const { port } =
  protocol === 'h2'
    ? await server.listen({ ...options, server: createServer(server.reqHandler) })
    : await server.listen(options);
await server.ready();
if (isMainThread) {
  process.send!({ port });
  process.on('disconnect', () => process.exit());
}
