import type { ThreadBounds } from '../../render/render-threads.ts';
import { type ThreadTimes, utilisationBetween } from '../../render/utilisation.ts';

/** A pool at one moment. */
export interface PoolReading {
  /** By `performance.now()`. */
  readonly atMs: number;
  /** The threads that take renders. A thread is the same object in every reading. */
  readonly serving: readonly { readonly times: ThreadTimes }[];
  /** Renders that have not ended, those without a thread included. */
  readonly inFlight: number;
  /** Whether a thread is starting. */
  readonly isStarting: boolean;
}

/** Readings that are closer to each other than this are noise. */
const MIN_INTERVAL_MS = 100;
/** From this utilisation on, a thread counts as busy. */
const BUSY = 0.8;
/** Consecutive readings that must show the need: a start costs the CPU time of many renders. */
const NEEDED_READINGS = 2;
/** How long no further thread may have been needed before threads end: a start must be rare. */
const QUIET_MS = 60_000;
/** Threads end as long as the others would be active for at most this share of the time. */
const SPARE = 0.5;
/** How long the pool does not grow after a thread did not start. Doubles until one starts. */
const FIRST_HOLD_MS = 1000;
const MAX_HOLD_MS = 60_000;

/**
 * Decides how many threads a pool should have.
 *
 * One more pays while every thread is busy and renders share threads. Where renders wait for a backend the
 * threads are idle: another one would be idle, too, and more renders at a time help. Threads end when the pool
 * has had enough of them for {@link QUIET_MS}, at most half of them at once, because the next peak may come.
 * The others then stay well below {@link BUSY}, so that the pool does not grow again under the same load.
 */
export class PoolSize {
  readonly #bounds: ThreadBounds;
  /** The latest times of each thread. */
  readonly #times = new WeakMap<object, ThreadTimes>();
  #readAtMs = Number.NEGATIVE_INFINITY;
  /** Since when no further thread was needed, and the active time of all threads since then. */
  #quiet: { readonly sinceMs: number; activeMs: number } | undefined;
  #neededReadings = 0;
  /** The number of threads when the last growth began; undefined once it has ended. */
  #grownFrom: number | undefined;
  #holdMs = FIRST_HOLD_MS;
  #heldUntilMs = Number.NEGATIVE_INFINITY;

  constructor(bounds: ThreadBounds) {
    this.#bounds = bounds;
  }

  /** Returns the change that pays: 1 for a further thread, and a negative number for threads that should end. */
  read({ atMs, serving, inFlight, isStarting }: PoolReading): number {
    if (atMs - this.#readAtMs < MIN_INTERVAL_MS) return 0;
    this.#readAtMs = atMs;
    this.#quiet ??= { sinceMs: atMs, activeMs: 0 };
    const areBusy = this.#measure(serving, this.#quiet);
    const isNeeded = areBusy && inFlight > serving.length;
    if (isNeeded) this.#quiet = { sinceMs: atMs, activeMs: 0 };
    this.#neededReadings = isNeeded ? this.#neededReadings + 1 : 0;
    if (isStarting) return 0;
    this.#endGrowth(serving.length, atMs);
    if (this.#mayGrow(serving.length, atMs)) {
      this.#neededReadings = 0;
      this.#grownFrom = serving.length;
      return 1;
    }
    return this.#shrink(serving.length, atMs);
  }

  /** Adds up the active time since the last reading; returns whether every thread was busy all the time. */
  #measure(serving: PoolReading['serving'], quiet: { activeMs: number }): boolean {
    let areBusy = serving.length > 0;
    for (const thread of serving) {
      const { times } = thread;
      // A new thread was busy with its start.
      const earlier = this.#times.get(thread) ?? times;
      this.#times.set(thread, times);
      // A thread that is just being ended has no times any more.
      quiet.activeMs += Math.max(0, times.activeMs - earlier.activeMs);
      if (utilisationBetween(earlier, times) < BUSY) areBusy = false;
    }
    return areBusy;
  }

  #endGrowth(threads: number, atMs: number): void {
    if (this.#grownFrom === undefined) return;
    if (threads > this.#grownFrom) this.#holdMs = FIRST_HOLD_MS;
    else {
      this.#heldUntilMs = atMs + this.#holdMs;
      this.#holdMs = Math.min(this.#holdMs * 2, MAX_HOLD_MS);
    }
    this.#grownFrom = undefined;
  }

  #mayGrow(threads: number, atMs: number): boolean {
    if (this.#neededReadings < NEEDED_READINGS) return false;
    return threads < this.#bounds.max && atMs >= this.#heldUntilMs;
  }

  #shrink(threads: number, atMs: number): number {
    const { sinceMs, activeMs } = this.#quiet!;
    const quietMs = atMs - sinceMs;
    if (quietMs < QUIET_MS) return 0;
    this.#quiet = { sinceMs: atMs, activeMs: 0 };
    const needed = Math.ceil(activeMs / quietMs / SPARE);
    const kept = Math.max(this.#bounds.min, needed, Math.ceil(threads / 2));
    return Math.min(0, kept - threads);
  }
}
