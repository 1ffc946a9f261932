/** A request that waits for a page, until it is answered, its deadline passes, or its client disconnects. */
export class Waiter {
  /** The time, by `performance.now()`, after which the request no longer needs the page. */
  readonly deadlineAtMs: number;
  readonly #listeners = new Set<() => void>();
  #hasLeft = false;

  constructor(deadlineAtMs: number) {
    this.deadlineAtMs = deadlineAtMs;
  }

  /** Whether the request has stopped waiting. */
  get hasLeft(): boolean {
    return this.#hasLeft;
  }

  /** Calls back once, when the request stops waiting. */
  onLeave(listener: () => void): void {
    if (!this.#hasLeft) this.#listeners.add(listener);
  }

  /** The request stops waiting, for any reason. */
  leave(): void {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
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
  #deadlineAtMs = 0;
  #waiters = 0;
  #onChange: (() => void) | undefined;

  /**
   * @param backgroundUntilMs - For a refresh or prewarming, which the server itself starts: the time by
   * `performance.now()` at which the render leaves the queue.
   */
  constructor(readonly backgroundUntilMs?: number) {}

  /** Whether a request waits for it. */
  get hasWaiters(): boolean {
    return this.#waiters > 0;
  }

  /** Whether neither a request nor the server needs the page. */
  get isOver(): boolean {
    return this.#waiters === 0 && this.backgroundUntilMs === undefined;
  }

  /** The latest deadline of all requests that wait. */
  get deadlineAtMs(): number {
    return this.#waiters > 0 ? this.#deadlineAtMs : (this.backgroundUntilMs ?? this.#deadlineAtMs);
  }

  add(waiter: Waiter): void {
    if (waiter.hasLeft) return;
    this.#waiters++;
    this.#deadlineAtMs = Math.max(this.#deadlineAtMs, waiter.deadlineAtMs);
    waiter.onLeave(() => {
      this.#waiters--;
      this.#onChange?.();
    });
    this.#onChange?.();
  }

  /** Calls back when a request joins or leaves. A new listener replaces the earlier one. */
  onChange(listener: (() => void) | undefined): void {
    this.#onChange = listener;
  }
}
