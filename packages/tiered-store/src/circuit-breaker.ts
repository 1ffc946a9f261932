import { NoAnswerError, within } from '@ng-ssr/core/store';

/** So many failures in a row are an outage: of a hundred calls, one is late or refused in every network. */
const FAILURES_OF_AN_OUTAGE = 3;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;
/** A file system that hangs holds a thread for each call, of four that there are. */
const MOST_HANGING = 2;

/** A call was not made: the store failed before. */
export class CircuitOpenError extends Error {
  override readonly name = 'CircuitOpenError';
}

/** What a breaker tells. */
export interface CircuitEvents {
  /** Called when the store is left alone. */
  onOutage(cause: unknown): void;
  /** Called when the store is used again. */
  onReturn(): void;
}

/**
 * Leaves a store alone for a while that has failed or was late several times in a row, or refuses its first call. Then one
 * call tries it, and others wait for the result of none: they do without the store.
 */
export class CircuitBreaker {
  readonly #events: CircuitEvents;
  #isOpen = false;
  #isTrying = false;
  #wasUsed = false;
  #failedInARow = 0;
  #hanging = 0;
  #pauseMs = FIRST_PAUSE_MS;
  #untilMs = 0;

  constructor(events: CircuitEvents) {
    this.#events = events;
  }

  /** Whether a call would be made now. */
  get takesCalls(): boolean {
    if (!this.#isOpen) return true;
    const isPaused = this.#isTrying || performance.now() < this.#untilMs;
    return !isPaused && this.#hanging < MOST_HANGING;
  }

  /**
   * Makes a call.
   *
   * @param ended - Aborted when the server closes: that is no failure.
   * @throws CircuitOpenError without a call, if the store is left alone; NoAnswerError after the time; what the call throws.
   */
  async run<T>(
    call: (signal: AbortSignal) => Promise<T>,
    timeoutMs: number,
    ended: AbortSignal,
  ): Promise<T> {
    if (!this.takesCalls) throw new CircuitOpenError('the store is left alone: it failed before');
    const isTrial = (this.#isTrying = this.#isOpen);
    const late = new AbortController();
    // AbortSignal.any() would keep each call in memory for as long as the server runs, in some versions of Node.
    const end = (): void => late.abort();
    ended.addEventListener('abort', end);
    if (ended.aborted) end();
    this.#hanging++;
    // Stores of users may throw at once.
    const reply = (async () => call(late.signal))().finally(() => this.#hanging--);
    try {
      const value = await within(reply, timeoutMs);
      if (isTrial || !this.#isOpen) this.#succeed();
      return value;
    } catch (cause) {
      if (!ended.aborted && (isTrial || !this.#isOpen)) this.#fail(cause, isTrial);
      throw cause;
    } finally {
      ended.removeEventListener('abort', end);
      late.abort();
      if (isTrial) this.#isTrying = false;
    }
  }

  #succeed(): void {
    this.#wasUsed = true;
    this.#failedInARow = 0;
    this.#pauseMs = FIRST_PAUSE_MS;
    if (this.#isOpen) this.#events.onReturn();
    this.#isOpen = false;
  }

  #fail(cause: unknown, isTrial: boolean): void {
    const mayBeOne = this.#wasUsed || cause instanceof NoAnswerError;
    if (!isTrial && mayBeOne && ++this.#failedInARow < FAILURES_OF_AN_OUTAGE) return;
    if (isTrial) this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
    this.#untilMs = performance.now() + this.#pauseMs;
    if (!this.#isOpen) this.#events.onOutage(cause);
    this.#isOpen = true;
  }
}
