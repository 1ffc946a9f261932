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

/** The demand of one request, or of the server itself for half the time that a request has. */
export function toDemand(waiter: Waiter, isBackground: boolean): Demand {
  const nowMs = performance.now();
  const untilMs = nowMs + (waiter.deadlineAtMs - nowMs) / 2;
  const demand = new Demand(isBackground ? untilMs : undefined);
  if (!isBackground) demand.add(waiter);
  return demand;
}

/** Those who wait for one render. It is dropped from the queue when the last of them has left. */
export class Demand {
  #deadlineAtMs = 0;
  #waiters = 0;
  #onChange: (() => void) | undefined;

  /**
   * @param backgroundUntilMs - For a render that the server itself wants, a refresh or a prewarmed page:
   * the time by `performance.now()` from which on it has waited long enough.
   */
  constructor(readonly backgroundUntilMs?: number) {}

  /** Whether a request waits for it. */
  get hasWaiters(): boolean {
    return this.#waiters > 0;
  }

  /** Whether nobody has a use for the page any more. */
  get isOver(): boolean {
    return this.#waiters === 0 && this.backgroundUntilMs === undefined;
  }

  /** The latest of all who wait. */
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

  /** Calls back whenever the first has come or the last may have left; one listener at a time. */
  onChange(listener: (() => void) | undefined): void {
    this.#onChange = listener;
  }
}
