import { setImmediate as turn } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import type { QueueEvent } from '@ng-ssr/core';
import { html, type StoredServer } from '../pages/stored-server.ts';
import { askAll } from './ask-all.ts';
import { heldBytes } from './held-bytes.ts';
import { queueEvents } from './queue-events.ts';
import { withCsrPage } from './csr-server.ts';

vi.setConfig({ testTimeout: 60_000 });

const CSR_PAGE =
  '200, cache-control: no-store, cache-status: ng-ssr; fwd=uri-miss; detail=csr-NG_SSR_DEADLINE_PASSED, ' +
  '<!doctype html><app-root></app-root>';
const UNAVAILABLE =
  '503, cache-control: no-store, cache-status: ng-ssr; detail=NG_SSR_OVERLOADED, retry-after: 1, ' +
  '503 Service Unavailable';
const FAILED =
  '500, cache-control: no-store, cache-status: ng-ssr; detail=NG_SSR_RENDER_FAILED, ' +
  '500 Internal Server Error';

/** Pages that come at once do so on a busy machine, too. */
const OK = { '/ok': { deadlineMs: 10_000 } };
/** It is some tens, for tables that grow ahead; a Request alone takes more than a thousand. */
const MOST_BYTES_PER_RENDER = 500;

/** Everything is over, nothing is stored, and a page is rendered at once. */
async function expectRest(server: StoredServer, queue: QueueEvent[]): Promise<void> {
  await expect.poll(() => queue.at(-1), { timeout: 10_000 }).toEqual({ queued: 0, running: 0 });
  expect(server.handler.cache.inspect()).toMatchObject({ count: 0, bytes: 0 });
  queue.length = 0;
  expect((await server.get('/ok')).text).toContain('ok');
  expect(queue).toEqual([
    { queued: 0, running: 1 },
    { queued: 0, running: 0 },
  ]);
}

/** What the test itself has kept. */
function forget({ requests, contexts, errors }: StoredServer): void {
  requests.length = contexts.length = errors.length = 0;
}

it('ten thousand hung renders cost an answer each, and leak nothing', async () => {
  const queue = queueEvents();
  const server = withCsrPage(
    ({ url }) => (url.endsWith('/ok') ? html('ok', {}) : new Promise<never>(() => {})),
    {
      // Of each asker's renders, sixteen are under way at most. A render begins in its time on busy machines, too.
      render: { concurrency: 3000, deadlineMs: 100, timeoutMs: 1500 },
      routeRules: { '/hang/bare/**': { fallbacks: ['queue'] }, ...OK },
    },
  );
  // When an asker comes back to a target, the render there was given up.
  const target = (asker: number, turn: number): string =>
    `/hang/${asker % 2 === 0 ? 'csr' : 'bare'}/${asker}/${turn % 24}`;
  await askAll(server, { requests: 2400, askers: 150, target });
  await expectRest(server, queue);
  forget(server);
  const before = await heldBytes();

  queue.length = 0;
  const kinds = await askAll(server, { requests: 10_000, askers: 150, target });
  expect(Object.keys(kinds).sort()).toEqual([CSR_PAGE, UNAVAILABLE]);
  expect(kinds[CSR_PAGE]! + kinds[UNAVAILABLE]!).toBe(10_000);
  await expect.poll(() => queue.at(-1), { timeout: 10_000 }).toEqual({ queued: 0, running: 0 });
  expect(queue.every(({ queued }) => queued === 0)).toBe(true);
  // On a busy machine the time of some is up before their render begins, which is left then.
  const { length: begun } = server.requests;
  expect(begun).toBeGreaterThan(5_000);
  // Besides, a line in ten seconds says how many got no page.
  const timeouts = server.errors.filter(({ code }) => code !== 'NG_SSR_OVERLOADED');
  expect(timeouts).toHaveLength(begun);
  expect(server.errors.length - timeouts.length).toBeLessThan(3);
  for (const { code, message } of timeouts) {
    expect(code).toBe('NG_SSR_RENDER_TIMEOUT');
    expect(message).toMatch(/^GET \/hang\/\w+\/\d+\/\d+ timed out/);
  }
  await expectRest(server, queue);
  forget(server);
  const perRender = ((await heldBytes()) - before) / 10_000;
  expect(perRender).toBeLessThan(MOST_BYTES_PER_RENDER);
});

it('more hung renders than places: requests that cannot be queued are refused, and places are freed', async () => {
  const queue = queueEvents();
  const server = withCsrPage(
    ({ url }) => (url.endsWith('/ok') ? html('ok', {}) : new Promise<never>(() => {})),
    {
      render: {
        concurrency: 100,
        deadlineMs: 100,
        timeoutMs: 300,
        maxQueued: 500,
        fallbacks: ['queue'],
      },
      routeRules: OK,
    },
  );
  const target = (asker: number, turn: number): string => `/hang/${asker}/${turn}`;
  const kinds = await askAll(server, { requests: 10_000, askers: 1000, target });
  expect(kinds).toEqual({ [UNAVAILABLE]: 10_000 });
  expect(Math.max(...queue.map(({ running }) => running))).toBe(100);
  expect(Math.max(...queue.map(({ queued }) => queued))).toBe(500);
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
])('thousands of pages, each of which %s, are honest failures', async (_name, cause, fail) => {
  const queue = queueEvents();
  const server = withCsrPage(({ url }) => (url.endsWith('/ok') ? html('ok', {}) : fail()), {
    render: { concurrency: 20 },
  });
  const target = (asker: number, turn: number): string => `/fail/${asker}/${turn % 4}`;
  await askAll(server, { requests: 1000, askers: 50, target });
  await expectRest(server, queue);
  forget(server);
  const before = await heldBytes();

  const kinds = await askAll(server, { requests: 5000, askers: 50, target });
  expect(kinds).toEqual({ [FAILED]: 5000 });
  expect(server.requests).toHaveLength(5000);
  expect(server.errors).toHaveLength(5000);
  for (const error of server.errors) {
    expect(error.code).toBe('NG_SSR_RENDER_FAILED');
    expect(String(error.cause)).toMatch(cause);
  }
  await expectRest(server, queue);
  forget(server);
  const perRender = ((await heldBytes()) - before) / 5000;
  expect(perRender).toBeLessThan(MOST_BYTES_PER_RENDER);
});
