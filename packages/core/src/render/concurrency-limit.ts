import { type ThreadTimes, utilisationBetween } from './utilisation.ts';

/** From this utilisation on, one more render only slows the others down. */
const BUSY = 0.9;
/** The share of a request's time that its render may take; the rest is for the queue. */
const RENDER_SHARE = 1 / 2;
/** The thread's times are read at most this often: shorter intervals are noise. */
const READ_EVERY_MS = 10;
/** A limit is divided by this to try a lower one. */
const DIVISOR = 4;
/** The fewest renders that measure a limit. At least one per slot is needed, since all may end at once. */
const MIN_ENDS = 8;
/** The share of the pages per second that a lower limit must keep. */
const KEPT_SHARE = 0.8;
/**
 * How long a limit is kept after a lower one has rendered fewer pages. Doubles until a lower one does not.
 */
const FIRST_HOLD_MS = 1000;
const MAX_HOLD_MS = 60_000;

/** The threads that render. */
export interface Threads {
  /** The fewest concurrent renders that keep them busy when renders only compute. May change. */
  readonly minConcurrency: number;
  /** The limit to begin with; undefined for the option `concurrency`. */
  readonly firstConcurrency?: number | undefined;
  /** The times of all of them. */
  times(): ThreadTimes;
}

/** A render that has begun. */
export interface Begun {
  readonly atMs: number;
  readonly times: ThreadTimes;
}

/** Renders that have ended while requests were queued. */
interface Window {
  readonly sinceMs: number;
  readonly times: ThreadTimes;
  ends: number;
}

/**
 * Limits concurrent renders, up to the option `concurrency`, to as few as keep the thread busy.
 *
 * Renders that wait for a backend need many slots. Renders that compute share one thread: more of them give
 * no more pages per second, but each takes longer, hits wait for all of them, and Node accepts one connection
 * per turn of the event loop, which lasts a whole render. So the limit falls while requests are queued and
 * the thread is busy, as long as pages per second stay the same; it falls at once when renders take too much
 * of their requests' time; and it rises when a request finds every slot taken and the thread idle.
 *
 * Where threads are added while renders share them (`threads: 'auto'`), the limit begins as that of the first
 * threads. The lowest limit rises with the threads and is above their number, so that they can share renders.
 */
export class ConcurrencyLimit {
  readonly #max: number;
  readonly #threads: Threads;
  /** May be below the lowest limit, which rises with the threads. */
  #current: number;
  /** Renders that began before this time do not measure the limit. */
  #changedAtMs = Number.NEGATIVE_INFINITY;
  #window: Window | undefined;
  /** The limit before it fell, and its renders per millisecond. */
  #earlier: { readonly limit: number; readonly rate: number } | undefined;
  #holdMs = FIRST_HOLD_MS;
  #heldUntilMs = Number.NEGATIVE_INFINITY;
  #readAtMs = Number.NEGATIVE_INFINITY;
  #times: ThreadTimes;

  /** @param max - The option `concurrency`. */
  constructor(max: number, threads: Threads) {
    this.#max = max;
    this.#threads = threads;
    this.#current = Math.min(max, threads.firstConcurrency ?? max);
    this.#times = threads.times();
  }

  /** The current limit, at least 1. */
  get current(): number {
    return Math.max(this.#current, this.#min);
  }

  /** Whether the limit is below the option. */
  get isLowered(): boolean {
    return this.current < this.#max;
  }

  /** A render begins. */
  begin(): Begun {
    this.#times = this.#threads.times();
    this.#readAtMs = performance.now();
    return { atMs: this.#readAtMs, times: this.#times };
  }

  /**
   * A render has succeeded.
   *
   * @param patienceMs - The whole time that its request had.
   * @param running - The renders in flight, this one included.
   * @param hasQueue - Whether requests wait for a slot.
   */
  end({ atMs, times }: Begun, patienceMs: number, running: number, hasQueue: boolean): void {
    if (atMs < this.#changedAtMs) return;
    const nowMs = performance.now();
    const share = (patienceMs * RENDER_SHARE) / (nowMs - atMs);
    if (share < 1 && utilisationBetween(times, this.#threads.times()) >= BUSY) {
      this.#change(Math.min(this.current, running) * share, nowMs);
    } else if (hasQueue) this.#measure({ atMs: nowMs, times: this.#threads.times() });
    else this.#window = undefined;
  }

  /** A request finds every slot taken: adds one if the thread has been idle since it was last read. */
  addSlot(): boolean {
    const nowMs = performance.now();
    if (!this.isLowered || nowMs - this.#readAtMs < READ_EVERY_MS) return false;
    const earlier = this.#times;
    this.#times = this.#threads.times();
    this.#readAtMs = nowMs;
    if (utilisationBetween(earlier, this.#times) >= BUSY) return false;
    this.#current = this.current + 1;
    return true;
  }

  /** Compares the pages per second of a limit with those of a quarter of it. */
  #measure({ atMs, times }: Begun): void {
    if (this.#window === undefined) {
      this.#window = { sinceMs: atMs, times, ends: 0 };
      return;
    }
    if (++this.#window.ends < Math.max(this.current, MIN_ENDS)) return;
    const rate = this.#window.ends / (atMs - this.#window.sinceMs);
    const isBusy = utilisationBetween(this.#window.times, times) >= BUSY;
    const earlier = this.#earlier;
    this.#window = this.#earlier = undefined;
    if (earlier !== undefined && rate < earlier.rate * KEPT_SHARE) {
      this.#heldUntilMs = atMs + this.#holdMs;
      this.#holdMs = Math.min(this.#holdMs * 2, MAX_HOLD_MS);
      return this.#change(earlier.limit, atMs);
    }
    if (earlier !== undefined) this.#holdMs = FIRST_HOLD_MS;
    if (isBusy && this.current > this.#min && atMs >= this.#heldUntilMs) {
      const limit = this.current;
      this.#change(limit / DIVISOR, atMs);
      this.#earlier = { limit, rate };
    }
  }

  #change(limit: number, nowMs: number): void {
    this.#current = Math.min(this.#max, Math.max(this.#min, Math.floor(limit)));
    this.#changedAtMs = nowMs;
    this.#window = this.#earlier = undefined;
  }

  get #min(): number {
    return Math.min(this.#max, this.#threads.minConcurrency);
  }
}
