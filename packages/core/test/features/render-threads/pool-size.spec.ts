import { expect, it } from 'vitest';
import type { ThreadBounds } from '../../../src/render/render-threads.ts';
import { PoolSize } from '../../../src/features/render-threads/pool-size.ts';

const TICK_MS = 250;
const MINUTE = 60_000 / TICK_MS;

/** What the threads do between two readings. */
interface Interval {
  /** The share of the time in which each of them is active; the last share is that of all others. */
  readonly active: readonly number[];
  readonly inFlight: number;
  readonly ms?: number;
}

/** A pool with a clock of its own, which does what the decision says. */
class Pool {
  readonly threads: { times: { activeMs: number; idleMs: number } }[] = [];
  isStarting = false;
  /** Whether a thread that is to start does so. */
  starts = true;
  readonly changes: number[] = [];
  #atMs = 0;
  readonly #size: PoolSize;

  constructor(bounds: ThreadBounds, threads = bounds.min) {
    this.#size = new PoolSize(bounds);
    for (let n = 0; n < threads; n++) this.#start();
    this.pass({ active: [0], inFlight: 0 });
  }

  /** Returns the changes of as many readings. */
  pass({ active, inFlight, ms = TICK_MS }: Interval, readings = 1): number[] {
    const changes: number[] = [];
    for (let reading = 0; reading < readings; reading++) {
      this.#atMs += ms;
      for (const [n, thread] of this.threads.entries()) {
        const { activeMs, idleMs } = thread.times;
        const share = active[n] ?? active.at(-1)!;
        thread.times = { activeMs: activeMs + ms * share, idleMs: idleMs + ms * (1 - share) };
      }
      const { threads, isStarting } = this;
      const change = this.#size.read({ atMs: this.#atMs, serving: threads, inFlight, isStarting });
      changes.push(change);
      if (change > 0 && this.starts) this.#start();
      if (change < 0) threads.splice(change);
    }
    return changes;
  }

  /** Its start has been busy. */
  #start(): void {
    this.threads.push({ times: { activeMs: 1000, idleMs: 0 } });
  }
}

const BUSY = { active: [1], inFlight: 100 };
const IDLE = { active: [0], inFlight: 0 };

it('a thread is added when all were busy for two readings, and renders share them', () => {
  const pool = new Pool({ min: 1, max: 8 });
  expect(pool.pass({ active: [0.85], inFlight: 2 }, 2)).toEqual([0, 1]);
  // The next one pays only if the new thread, too, has been busy.
  expect(pool.pass({ active: [1], inFlight: 3 }, 3)).toEqual([0, 0, 1]);
});

it('it grows up to its maximum', () => {
  const pool = new Pool({ min: 1, max: 3 });
  pool.pass(BUSY, 20);
  expect(pool.threads).toHaveLength(3);
});

it.each([
  ['whose renders wait for a backend', { active: [0.3], inFlight: 50 }],
  ['with one busy thread of two', { active: [1, 0.7], inFlight: 50 }],
  ['with one render per thread', { active: [1], inFlight: 2 }],
  ['without threads that serve', { active: [1], inFlight: 50 }, 0],
])('a pool %s does not grow', (_name, interval, threads = 2) => {
  const pool = new Pool({ min: 1, max: 8 }, threads);
  expect(pool.pass(interval, 10)).not.toContain(1);
});

it('a need that does not last starts no thread', () => {
  const pool = new Pool({ min: 1, max: 8 });
  for (let n = 0; n < 5; n++) {
    expect([...pool.pass(BUSY), ...pool.pass({ active: [1], inFlight: 1 })]).toEqual([0, 0]);
  }
});

it('one thread starts at a time', () => {
  const pool = new Pool({ min: 1, max: 8 });
  pool.isStarting = true;
  expect(pool.pass(BUSY, 10)).not.toContain(1);
  pool.isStarting = false;
  expect(pool.pass(BUSY)).toEqual([1]);
});

it('readings that follow each other at once do not count', () => {
  const pool = new Pool({ min: 1, max: 8 });
  expect(pool.pass({ ...BUSY, ms: 1 }, 99)).not.toContain(1);
});

it('after a start that failed it waits for 1, 2, 4 and at most 60 s', () => {
  const pool = new Pool({ min: 1, max: 8 });
  pool.starts = false;
  const changes = pool.pass(BUSY, 5 * MINUTE);
  const grown = changes.flatMap((change, reading) => (change > 0 ? [reading] : []));
  const waitsMs = grown.slice(1).map((reading, n) => (reading - grown[n]!) * TICK_MS);
  // Whether it has started is known at the next reading.
  const seconds = waitsMs.map((ms) => (ms - TICK_MS) / 1000);
  expect(seconds).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  pool.starts = true;
  while (pool.threads.length < 3) pool.pass(BUSY);
  pool.starts = false;
  expect(pool.pass(BUSY, 10)).toContain(1);
});

it('without renders, half of the threads end each minute, down to the minimum', () => {
  const pool = new Pool({ min: 1, max: 63 }, 63);
  const idle = { ...IDLE, ms: 60_000 };
  expect(pool.pass(idle, 8)).toEqual([-31, -16, -8, -4, -2, -1, 0, 0]);
  expect(pool.threads).toHaveLength(1);
  const fixed = new Pool({ min: 2, max: 4 }, 4);
  fixed.pass(idle, 5);
  expect(fixed.threads).toHaveLength(2);
});

it('threads stay for a minute after the last need', () => {
  const pool = new Pool({ min: 1, max: 2 });
  pool.pass(BUSY, 3);
  expect(pool.threads).toHaveLength(2);
  pool.pass(BUSY, MINUTE);
  pool.pass(IDLE, MINUTE - 1);
  expect(pool.threads).toHaveLength(2);
  pool.pass(IDLE);
  expect(pool.threads).toHaveLength(1);
});

it.each([
  [0.6, 4],
  [0.45, 4],
  [0.35, 3],
  [0.2, 2],
])(
  'threads end as long as the others are at most half busy (%d of the time: %i)',
  (share, kept) => {
    const pool = new Pool({ min: 1, max: 4 }, 4);
    pool.pass({ active: [share], inFlight: 50 }, MINUTE);
    expect(pool.threads).toHaveLength(kept);
  },
);

it('no thread ends while one is starting', () => {
  const pool = new Pool({ min: 1, max: 4 }, 4);
  pool.isStarting = true;
  expect(pool.pass(IDLE, 2 * MINUTE)).not.toContain(-2);
  pool.isStarting = false;
  expect(pool.pass(IDLE)).toEqual([-2]);
});

it('a load that comes every half minute keeps the threads that it needs', () => {
  const pool = new Pool({ min: 1, max: 3 });
  pool.pass(BUSY, 20);
  for (let n = 0; n < 10; n++) {
    pool.pass(IDLE, MINUTE / 2);
    pool.pass(BUSY, 10);
  }
  expect(pool.threads).toHaveLength(3);
});

it('the same load never makes it grow and shrink', () => {
  for (const load of [0.5, 0.9, 1.3, 1.7, 2.1, 2.5]) {
    const pool = new Pool({ min: 1, max: 8 });
    const changes: number[] = [];
    for (let reading = 0; reading < 10 * MINUTE; reading++) {
      const share = Math.min(1, load / pool.threads.length);
      changes.push(...pool.pass({ active: [share], inFlight: 20 }));
    }
    expect(changes.filter((change) => change < 0)).toEqual([]);
    expect(pool.threads.length).toBeLessThanOrEqual(Math.ceil(load / 0.8));
  }
});
