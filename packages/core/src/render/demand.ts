/** One request that waits for a page: until it is answered, its time is up, or its client has left. */
export class Waiter {
  /** By `performance.now()`: past this time the page is of no use to it. */
  readonly deadlineAtMs: number;
  readonly #listeners = new Set<() => void>();
  #hasLeft = false;

  constructor(deadlineAtMs: number) {
    this.deadlineAtMs = deadlineAtMs;
  }

  /** Whether it waits no longer. */
  get hasLeft(): boolean {
    return this.#hasLeft;
  }

  /** Calls back once, when it waits no longer. */
  onLeave(listener: () => void): void {
    if (!this.#hasLeft) this.#listeners.add(listener);
  }

  /** It waits no longer, whatever the reason. */
  leave(): void {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  }
}

/** The demand of one request, or of the server itself, whose renders may wait half as long. */
export function toDemand(waiter: Waiter, isBackground: boolean): Demand {
  const nowMs = performance.now();
  const untilMs = nowMs + (waiter.deadlineAtMs - nowMs) / 2;
  const demand = new Demand(isBackground ? untilMs : undefined);
  if (!isBackground) demand.add(waiter);
  return demand;
}

/** The requests that wait for one render. The render leaves the queue when the last of them has left. */
export class Demand {
  #deadlineAtMs = 0;
  #waiters = 0;
  #onChange: (() => void) | undefined;

  /**
   * @param backgroundUntilMs - For a refresh or a prewarmed page, which the server itself wants: the time
   * by `performance.now()` at which the render leaves the queue.
   */
  constructor(readonly backgroundUntilMs?: number) {}

  /** Whether a request waits for it. */
  get hasWaiters(): boolean {
    return this.#waiters > 0;
  }

  /** Whether neither a request nor the server wants the page now. */
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

  /** Calls back when a request comes or leaves; one listener at a time. */
  onChange(listener: (() => void) | undefined): void {
    this.#onChange = listener;
  }
}
