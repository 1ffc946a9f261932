import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { QueueEvent } from '@ng-ssr/core';
import { stress } from '@ng-ssr/conformance/fuzz';
import { html, type StoredServer } from '../pages/stored-server.ts';
import { askAll, type Crowd } from './ask-all.ts';
import { BATCHES, leastGrowth } from './held-bytes.ts';
import { queueEvents } from './queue-events.ts';
import { withCsrPage } from './csr-server.ts';

const CSR_PAGE =
  '200, cache-control: no-store, cache-status: ng-ssr; fwd=uri-miss; detail=csr-NG_SSR_DEADLINE_PASSED, ' +
  '<!doctype html><app-root></app-root>';
const UNAVAILABLE =
  '503, cache-control: no-store, cache-status: ng-ssr; detail=NG_SSR_OVERLOADED, retry-after: 1, ' +
  '503 Service Unavailable';
const FAILED =
  '500, cache-control: no-store, cache-status: ng-ssr; detail=NG_SSR_RENDER_FAILED, ' +
  '500 Internal Server Error';

/** It is some tens, for tables that grow ahead; a Request alone takes more than a thousand. */
const MOST_BYTES_PER_RENDER = 500;
const STEP_MS = 5;

// Deadlines pass in `over` alone: on a busy machine, too, each render begins before its deadline.
beforeEach(
  () => void vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'] }),
);
afterEach(() => void vi.useRealTimers());

/** Lets time pass until something is over. */
async function over<T>(work: Promise<T>): Promise<T> {
  let isOver = false;
  const noted = work.finally(() => (isOver = true));
  noted.catch(() => {});
  for (;;) {
    for (let turns = 0; turns < 8; turns++) await turn();
    if (isOver) return noted;
    await vi.advanceTimersByTimeAsync(STEP_MS);
  }
}

const ask = (server: StoredServer, crowd: Crowd): Promise<Record<string, number>> =>
  over(askAll(server, crowd));

/** Everything is over, nothing is stored, and a page is rendered at once. */
async function expectRest(server: StoredServer, queue: QueueEvent[]): Promise<void> {
  await untilIdle(queue);
  expect(server.handler.cache.inspect()).toMatchObject({ count: 0, bytes: 0 });
  queue.length = 0;
  expect((await server.get('/ok')).text).toContain('ok');
  expect(queue).toEqual([
    { queued: 0, running: 1 },
    { queued: 0, running: 0 },
  ]);
}

/** Lets the timeout of every render pass. */
async function untilIdle(queue: QueueEvent[]): Promise<void> {
  await vi.advanceTimersByTimeAsync(2_000);
  expect(queue.at(-1)).toEqual({ queued: 0, running: 0 });
}

/** What the test itself has kept. */
function forget({ requests, contexts, errors }: StoredServer): void {
  requests.length = contexts.length = errors.length = 0;
}

const HUNG = stress(10_000);

it(`${HUNG} hung renders cost an answer each, and leak nothing`, async () => {
  const queue = queueEvents();
  const server = withCsrPage(
    ({ url }) => (url.endsWith('/ok') ? html('ok', {}) : new Promise<never>(() => {})),
    {
      // Of each asker's renders, sixteen are in flight at most.
      render: { concurrency: 3000, maxWaitMs: 100, timeoutMs: 1500 },
      routeRules: { '/hang/bare/**': { fallbacks: ['queue'] } },
    },
  );
  const askers = stress(150);
  // When an asker comes back to a target, the render there was given up.
  const target = (asker: number, turn: number): string =>
    `/hang/${asker % 2 === 0 ? 'csr' : 'bare'}/${asker}/${turn % 24}`;
  await ask(server, { requests: stress(2400), askers, target });
  await expectRest(server, queue);
  forget(server);

  const requests = HUNG / BATCHES;
  const grown = await leastGrowth(async () => {
    queue.length = 0;
    const kinds = await ask(server, { requests, askers, target });
    expect(Object.keys(kinds).sort()).toEqual([CSR_PAGE, UNAVAILABLE]);
    expect(kinds[CSR_PAGE]! + kinds[UNAVAILABLE]!).toBe(requests);
    await untilIdle(queue);
    expect(queue.every(({ queued }) => queued === 0)).toBe(true);
    expect(server.requests).toHaveLength(requests);
    // Besides, a line in ten seconds says how many got no page.
    const timeouts = server.errors.filter(({ code }) => code !== 'NG_SSR_OVERLOADED');
    expect(timeouts).toHaveLength(requests);
    expect(server.errors.length - timeouts.length).toBeLessThan(3);
    for (const { code, message } of timeouts) {
      expect(code).toBe('NG_SSR_RENDER_TIMEOUT');
      expect(message).toMatch(/^GET \/hang\/\w+\/\d+\/\d+ timed out/);
    }
    await expectRest(server, queue);
    forget(server);
  }, requests * MOST_BYTES_PER_RENDER);
  expect(grown / requests).toBeLessThan(MOST_BYTES_PER_RENDER);
});

it('more hung renders than places: requests that cannot be queued are refused, and places are freed', async () => {
  const queue = queueEvents();
  const [concurrency, maxQueued] = [stress(100), stress(500)];
  const server = withCsrPage(
    ({ url }) => (url.endsWith('/ok') ? html('ok', {}) : new Promise<never>(() => {})),
    { render: { concurrency, maxWaitMs: 100, timeoutMs: 300, maxQueued, fallbacks: ['queue'] } },
  );
  const target = (asker: number, turn: number): string => `/hang/${asker}/${turn}`;
  const [requests, askers] = [stress(10_000), stress(1000)];
  expect(await ask(server, { requests, askers, target })).toEqual({ [UNAVAILABLE]: requests });
  expect(Math.max(...queue.map(({ running }) => running))).toBe(concurrency);
  expect(Math.max(...queue.map(({ queued }) => queued))).toBe(maxQueued);
  await expectRest(server, queue);
  // One line for all of them, or one in ten seconds.
  const turnedAway = server.errors.filter(({ code }) => code === 'NG_SSR_OVERLOADED');
  expect(turnedAway.length).toBeGreaterThan(0);
  expect(turnedAway.length).toBeLessThan(10);
});

it.each([
  [
    'throws',
    'Error: at once',
    () => {
      throw new Error('at once');
    },
  ],
  [
    'rejects later',
    'Error: later',
    async () => {
      await turn();
      throw new Error('later');
    },
  ],
  ['exits', /^Error: GET \/fail\/\d+\/\d+ called process\.exit\(7\)$/, () => process.exit(7)],
])('many pages, each of which %s, are honest failures', async (_name, cause, fail) => {
  const queue = queueEvents();
  const server = withCsrPage(({ url }) => (url.endsWith('/ok') ? html('ok', {}) : fail()), {
    render: { concurrency: 20 },
  });
  const askers = 50;
  const target = (asker: number, turn: number): string => `/fail/${asker}/${turn % 4}`;
  await ask(server, { requests: stress(1000), askers, target });
  await expectRest(server, queue);
  forget(server);

  const requests = stress(5000) / BATCHES;
  const grown = await leastGrowth(async () => {
    const kinds = await ask(server, { requests, askers, target });
    expect(kinds).toEqual({ [FAILED]: requests });
    expect(server.requests).toHaveLength(requests);
    expect(server.errors).toHaveLength(requests);
    for (const error of server.errors) {
      expect(error.code).toBe('NG_SSR_RENDER_FAILED');
      expect(String(error.cause)).toMatch(cause);
    }
    await expectRest(server, queue);
    forget(server);
  }, requests * MOST_BYTES_PER_RENDER);
  expect(grown / requests).toBeLessThan(MOST_BYTES_PER_RENDER);
});
