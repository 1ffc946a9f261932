/** A request that waits for a page, until it is answered, its deadline passes, or its client disconnects. */
export class Waiter {
  /** The time, by `performance.now()`, after which the request no longer needs the page. */
  readonly deadlineAtMs: number;
  /** Whether the request has stopped waiting; `leave` alone sets it. */
  hasLeft = false;
  readonly #listeners = new Set<() => void>();

  constructor(deadlineAtMs: number) {
    this.deadlineAtMs = deadlineAtMs;
  }

  /** Calls back once, when the request stops waiting. */
  onLeave(listener: () => void): void {
    if (!this.hasLeft) this.#listeners.add(listener);
  }

  /** The request stops waiting, for any reason. */
  leave(): void {
    if (this.hasLeft) return;
    this.hasLeft = true;
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  }
}

/**
 * The demand of one request or, in the background, of the server itself, whose renders may wait half as long.
 */
export function toDemand(waiter: Waiter, isBackground: boolean): Demand {
  const nowMs = performance.now();
  const untilMs = nowMs + (waiter.deadlineAtMs - nowMs) / 2;
  const demand = new Demand(isBackground ? untilMs : undefined);
  if (!isBackground) demand.add(waiter);
  return demand;
}

/** The requests that wait for one render. The render leaves the queue when the last of them stops waiting. */
export class Demand {
  readonly backgroundUntilMs: number | undefined;
  /** Whether a request waits for it. */
  hasWaiters = false;
  /** Whether neither a request nor the server needs the page. */
  isOver: boolean;
  /** The latest deadline of all requests that wait. */
  deadlineAtMs: number;
  #waiters = 0;
  #latestMs = 0;
  #onChange: (() => void) | undefined;

  /**
   * @param backgroundUntilMs - For a refresh or prewarming, which the server itself starts: the time by
   * `performance.now()` at which the render leaves the queue.
   */
  constructor(backgroundUntilMs?: number) {
    this.backgroundUntilMs = backgroundUntilMs;
    this.isOver = backgroundUntilMs === undefined;
    this.deadlineAtMs = backgroundUntilMs ?? 0;
  }

  add(waiter: Waiter): void {
    if (waiter.hasLeft) return;
    this.#latestMs = Math.max(this.#latestMs, waiter.deadlineAtMs);
    waiter.onLeave(() => this.#count(-1));
    this.#count(1);
  }

  /** Calls back when a request joins or leaves. A new listener replaces the earlier one. */
  onChange(listener: (() => void) | undefined): void {
    this.#onChange = listener;
  }

  #count(change: 1 | -1): void {
    this.#waiters += change;
    this.hasWaiters = this.#waiters > 0;
    this.isOver = !this.hasWaiters && this.backgroundUntilMs === undefined;
    this.deadlineAtMs = this.hasWaiters
      ? this.#latestMs
      : (this.backgroundUntilMs ?? this.#latestMs);
    this.#onChange?.();
  }
}

/** The terms on which the scheduler accepts a job. */
export interface Terms {
  /** Whether the job may be queued. */
  readonly mayQueue: boolean;
  /** The requests that wait for the page. */
  readonly demand: Demand;
}
