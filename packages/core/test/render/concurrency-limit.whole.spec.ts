import { channel } from 'node:diagnostics_channel';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { QueueEvent } from '@ng-ssr/core';
import { turn } from '../pages/clock.ts';
import { html, storedServer, type StoredServer } from '../pages/stored-server.ts';
import { askAll, type Crowd } from './ask-all.ts';
import { queueEvents } from './queue-events.ts';

const CONCURRENCY = 16;
const DEADLINE_MS = 200;
const CHUNKS = 4;
const CHUNK_MS = 10;
/** Renders without a deadline that matters: what is asked for at the end comes on busy machines, too. */
const PATIENT = { '/patient/**': { maxWaitMs: 20_000 } };

/** How long the thread has computed. The clock is the test's own: other processes of a busy machine do not slow it. */
let activeMs = 0;
let isReal = false;

beforeEach(() => {
  activeMs = 0;
  isReal = false;
  vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'] });
  const startMs = performance.now();
  // The types of the global are those of browsers.
  const clock = performance as unknown as { eventLoopUtilization(): object };
  vi.spyOn(clock, 'eventLoopUtilization').mockImplementation(() => {
    const passedMs = performance.now() - startMs;
    return { active: activeMs, idle: passedMs - activeMs, utilization: activeMs / passedMs };
  });
});
function useRealTime(): void {
  isReal = true;
  vi.restoreAllMocks();
  vi.useRealTimers();
}
afterEach(useRealTime);

/** Keeps the thread busy. */
function work(ms: number): void {
  activeMs += ms;
  if (!isReal) return void vi.advanceTimersByTime(ms);
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs);
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Lets time pass while the thread is idle, until something is over. */
async function over<T>(asked: Promise<T>): Promise<T> {
  if (isReal) return asked;
  let isOver = false;
  const noted = asked.finally(() => (isOver = true));
  noted.catch(() => {});
  for (;;) {
    const before = activeMs;
    for (let turns = 0; turns < 8; turns++) await turn();
    if (isOver) return noted;
    if (activeMs === before) await vi.advanceTimersByTimeAsync(1);
  }
}

/** Computes, and lets other renders have their turns in between: sixteen at a time take 640 ms. */
async function compute(): Promise<void> {
  for (let chunk = 0; chunk < CHUNKS; chunk++) {
    work(CHUNK_MS);
    await turn();
  }
}

function serverOf(render: (path: string) => Promise<void>): StoredServer {
  return storedServer(
    async ({ url }) => {
      await render(new URL(url).pathname);
      return html('page', { 'cache-control': 'private' });
    },
    {
      render: { concurrency: CONCURRENCY, maxWaitMs: DEADLINE_MS, fallbacks: ['queue'] },
      routeRules: PATIENT,
    },
  );
}

/** The middle of how many have run at a time. */
const usuallyRunning = (queue: readonly QueueEvent[]): number =>
  queue.map(({ running }) => running).sort((a, b) => a - b)[queue.length >> 1] ?? 0;

const mostRunning = (queue: readonly QueueEvent[]): number =>
  Math.max(...queue.map(({ running }) => running));

const askEach = (server: StoredServer, crowd: Crowd): Promise<unknown> =>
  over(askAll(server, crowd));

/** Asks for more than can be rendered in time until `renders` of them have begun; counts the pages. */
async function overload(server: StoredServer, renders: number): Promise<number> {
  let pages = 0;
  const most = server.requests.length + renders;
  const ask = async (_: unknown, asker: number): Promise<void> => {
    for (let n = 0; server.requests.length < most; n++) {
      if ((await server.get(`/compute/${asker}/${n}`)).status === 200) pages++;
      await turn();
    }
  };
  await over(Promise.all(Array.from({ length: 2 * CONCURRENCY }, ask)));
  return pages;
}

it('renders that compute have fewer places when they would all be late', async () => {
  const server = serverOf(compute);
  await overload(server, 5 * CONCURRENCY);
  expect(await overload(server, 100)).toBeGreaterThan(60);
});

it('renders that compute come one after another while requests are queued', async () => {
  const queue = queueEvents();
  const server = serverOf(compute);
  const target = (asker: number, turns: number): string => `/patient/${asker}/${turns}`;
  await askEach(server, { requests: 100, askers: 2 * CONCURRENCY, target });
  // A queue of half the length: all are answered within their patience.
  expect(mostRunning(queue)).toBe(CONCURRENCY);
  expect(usuallyRunning(queue.slice(-80, -2 * CONCURRENCY))).toBeLessThanOrEqual(2);
});

it('renders that compute come one after another while connections wait to be accepted', async () => {
  // Connections are waited for in turns of the event loop.
  useRealTime();
  const queue = queueEvents();
  const server = serverOf(compute);
  let isOver = false;
  // They come at a steady pace, and as in Node, one is accepted in each turn of the event loop.
  const connections = (async () => {
    const sinceMs = performance.now();
    for (let accepted = 0; !isOver; await turn()) {
      if (accepted >= (performance.now() - sinceMs) / (2.5 * CHUNK_MS)) continue;
      channel('net.server.socket').publish({});
      accepted++;
    }
  })();
  const target = (asker: number, turns: number): string => `/patient/${asker}/${turns}`;
  // No more than there are places: nothing of it is in the queue.
  await askEach(server, { requests: 100, askers: CONCURRENCY / 4, target });
  isOver = true;
  await connections;
  expect(usuallyRunning(queue.slice(-80))).toBe(1);
});

it('renders that wait for a backend keep their places on a thread that is busy with something else', async () => {
  const queue = queueEvents();
  const server = serverOf(() => wait(DEADLINE_MS));
  let isOver = false;
  const others = (async () => {
    while (!isOver) {
      work(2);
      await turn();
    }
  })();
  const target = (asker: number, turns: number): string => `/patient/${asker}/${turns}`;
  await askEach(server, { requests: 24 * CONCURRENCY, askers: 2 * CONCURRENCY, target });
  isOver = true;
  await others;
  // Fewer places are tried now and then.
  expect(usuallyRunning(queue.slice(queue.length >> 1, -2 * CONCURRENCY))).toBe(CONCURRENCY);
});

it('renders that wait for a backend have every place, however long they take', async () => {
  const queue = queueEvents();
  const server = serverOf(() => wait(DEADLINE_MS * 0.9));
  const target = (asker: number, turns: number): string => `/patient/${asker}/${turns}`;
  await askEach(server, { requests: 10 * CONCURRENCY, askers: 2 * CONCURRENCY, target });
  queue.length = 0;
  await askEach(server, { requests: 2 * CONCURRENCY, askers: 2 * CONCURRENCY, target });
  expect(mostRunning(queue)).toBe(CONCURRENCY);
});

it('a render that hangs does not keep the last place of a lowered limit', async () => {
  useRealTime();
  const server = serverOf((path) =>
    path.includes('hang')
      ? new Promise<never>(() => {})
      : path.includes('ok')
        ? Promise.resolve()
        : compute(),
  );
  await overload(server, 5 * CONCURRENCY);
  for (let n = 0; n < CONCURRENCY - 1; n++) void server.get(`/hang/${n}`);
  // Nothing else is asked for meanwhile: the queue itself finds that the thread is idle.
  expect((await over(server.get('/patient/ok'))).status).toBe(200);
});
