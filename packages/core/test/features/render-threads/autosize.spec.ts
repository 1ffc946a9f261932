import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Autosize, type ResizableThreads } from '../../../src/features/render-threads/autosize.ts';
import { asWorker, FakeThread } from './fake-thread.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Fake threads that start and end at once. */
class Threads implements ResizableThreads {
  readonly changes: string[] = [];
  readonly fakes: FakeThread[] = [new FakeThread()];
  isStarting = false;
  isBusy = true;

  get serving(): ReturnType<typeof asWorker>[] {
    const nowMs = performance.now();
    const times = { activeMs: this.isBusy ? nowMs : 0, idleMs: this.isBusy ? 0 : nowMs };
    return this.fakes.map((fake) => asWorker(Object.assign(fake, { times })));
  }

  get size(): number {
    return this.fakes.length;
  }

  grow(reason: string): void {
    this.changes.push(`grow: ${reason}`);
    this.fakes.push(new FakeThread());
  }

  shrink(count: number, reason: string): void {
    this.changes.push(`shrink by ${count}: ${reason}`);
    this.fakes.splice(-count);
  }
}

function autosize(max: number) {
  const threads = new Threads();
  const renders = { inFlight: 10 };
  const sizer = new Autosize({ min: 1, max }, threads, renders);
  /** Checks as often as a watchdog does. */
  const check = (times: number): void => {
    for (let n = 0; n < times; n++) {
      vi.advanceTimersByTime(250);
      sizer.check();
    }
  };
  return { sizer, threads, renders, check };
}

it('threads are added while renders share busy ones', () => {
  const { threads, check } = autosize(3);
  check(20);
  const grown = 'grow: renders wait for busy threads';
  expect(threads.changes).toEqual([grown, grown]);
});

it('a pool of the fewest threads has no timer', () => {
  const { threads, check } = autosize(3);
  threads.isBusy = false;
  check(20);
  expect(threads.changes).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

it('threads end although there are no renders, and then the timer ends', () => {
  const { threads, renders, check } = autosize(4);
  check(20);
  expect(threads.size).toBe(4);
  expect(vi.getTimerCount()).toBe(1);
  threads.isBusy = false;
  renders.inFlight = 0;
  threads.changes.length = 0;
  vi.advanceTimersByTime(10 * 60_000);
  expect(threads.changes).toEqual([
    'shrink by 2: the others suffice',
    'shrink by 1: the others suffice',
  ]);
  expect(vi.getTimerCount()).toBe(0);
});

it('once stopped it changes nothing, and leaves no timer', () => {
  const { sizer, threads, check } = autosize(8);
  check(5);
  const { size } = threads;
  expect(vi.getTimerCount()).toBe(1);
  sizer.stop();
  check(20);
  expect(threads.size).toBe(size);
  expect(vi.getTimerCount()).toBe(0);
});
