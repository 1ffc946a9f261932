import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Demand, Waiter } from '../../src/render/demand.ts';
import type { RenderJob } from '../../src/render/render-job.ts';
import { Scheduler } from '../../src/render/scheduler.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const CONCURRENCY = 64;

/** A scheduler of threads that are added; renders do not end. */
function schedule({ areBusy }: { areBusy: boolean }) {
  const threads = { serving: 1 };
  const scheduler = new Scheduler(
    {
      render: () => new Promise<never>(() => {}),
      firstConcurrency: 4,
      get minConcurrency() {
        return 2 * threads.serving;
      },
      times: () => {
        const ms = performance.now() + 1;
        return areBusy ? { activeMs: ms, idleMs: 0 } : { activeMs: 1, idleMs: ms };
      },
      ready: () => Promise.resolve(),
      close: () => Promise.resolve(),
    },
    { concurrency: CONCURRENCY, maxQueued: 1000, timeoutMs: 1e6 },
  );
  const job: RenderJob = {
    request: new Request('http://shop.example/'),
    requestContext: undefined,
    isShared: true,
    name: 'GET /',
  };
  const ask = (renders: number): void => {
    for (let n = 0; n < renders; n++) {
      const demand = new Demand();
      demand.add(new Waiter(1e6));
      void scheduler.render(job, { mayQueue: true, demand });
    }
  };
  const refresh = (renders: number): void => {
    for (let n = 0; n < renders; n++) {
      void scheduler.render(job, { mayQueue: true, demand: new Demand(1e6) });
    }
  };
  return { scheduler, threads, ask, refresh };
}

it('one thread gets four renders that compute, and each further thread makes room for two', async () => {
  const { scheduler, threads, ask } = schedule({ areBusy: true });
  ask(CONCURRENCY);
  await vi.advanceTimersByTimeAsync(1000);
  expect(scheduler.running).toBe(4);
  for (const [serving, running] of [
    [2, 4],
    [3, 6],
    [8, 16],
  ] as const) {
    threads.serving = serving;
    await vi.advanceTimersByTimeAsync(50);
    expect(scheduler.running).toBe(running);
    // More than one per thread: a pool can see that renders share threads.
    expect(running).toBeGreaterThan(serving);
  }
});

it('renders that wait for a backend get every slot of one thread', async () => {
  const { scheduler, ask } = schedule({ areBusy: false });
  ask(CONCURRENCY);
  expect(scheduler.running).toBe(4);
  await vi.advanceTimersByTimeAsync(50);
  expect(scheduler.running).toBe(5);
  await vi.advanceTimersByTimeAsync(50 * CONCURRENCY);
  expect(scheduler.running).toBe(CONCURRENCY);
});

it('refreshes that wait for a backend get every slot that they may have', async () => {
  const { scheduler, refresh } = schedule({ areBusy: false });
  refresh(100);
  expect(scheduler.running).toBe(3);
  await vi.advanceTimersByTimeAsync(50);
  expect(scheduler.running).toBe(4);
  await vi.advanceTimersByTimeAsync(50 * CONCURRENCY);
  expect(scheduler.running).toBe(CONCURRENCY / 4);
});

it('refreshes that compute get no more slots than one thread has at first', async () => {
  const { scheduler, refresh } = schedule({ areBusy: true });
  refresh(100);
  await vi.advanceTimersByTimeAsync(1000);
  expect(scheduler.running).toBe(3);
});
