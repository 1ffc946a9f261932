import { within } from '@ng-ssr/core/store';
import { ErrorReply } from '@redis/client';

const FAILURES_OF_AN_OUTAGE = 5;
const FIRST_PROBE_MS = 50;
const LONGEST_PROBE_MS = 2_000;

/** The command was not sent, because Redis did not answer an earlier one. */
export class CircuitOpenError extends Error {
  override readonly name = 'CircuitOpenError';
}

/** The dependencies and callbacks of a breaker. */
export interface CircuitBreakerContext {
  readonly timeoutMs: number;
  /** Rejects if there is no connection. */
  ping(): Promise<unknown>;
  /** Called when the circuit closes: at the start, and when Redis answers again. */
  onClose(): void;
  /** Called once for an outage, and again only after a command has succeeded. */
  onOutage(cause: unknown): void;
  /** Called for each failed command or PING: another server may have taken over. */
  onFailure?(): void;
}

/** What a server replies that cannot serve its keys now: a replica, or a part of a cluster without a majority. */
const UNABLE = /(?:^|[ -])(?:READONLY|CLUSTERDOWN|MASTERDOWN|LOADING) /;

/** Whether a reply says that this server cannot serve the command now, but it or another one soon may. */
export function isUnable(error: unknown): boolean {
  return error instanceof ErrorReply && UNABLE.test(error.message);
}

/**
 * Sends no commands to a Redis that does not answer. Replies arrive in order on one connection: after a
 * late reply, others would be late too. So the first late reply opens the circuit, and commands fail at
 * once until a PING is answered in time. Several failures in a row are an outage.
 */
export class CircuitBreaker {
  readonly #context: CircuitBreakerContext;
  #isOpen = true;
  #isEnded = false;
  /** Whether it waits for Redis to answer again; false before the first connection. */
  #isWatching = false;
  #isProbing = false;
  #ping: Promise<unknown> | undefined;
  #isReported = false;
  #failures = 0;
  #probeTimer: NodeJS.Timeout | undefined;

  constructor(context: CircuitBreakerContext) {
    this.#context = context;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /**
   * Sends a command and waits for its reply.
   *
   * @throws CircuitOpenError at once, while the circuit is open.
   * @throws NoAnswerError when the reply is too late.
   * @throws ErrorReply when Redis refuses the command.
   */
  async run<T>(command: () => Promise<T>, timeoutMs: number): Promise<T> {
    if (this.#isOpen)
      throw new CircuitOpenError('not sent: Redis did not respond to an earlier command');
    try {
      const reply = await within(command(), timeoutMs);
      this.#succeeded();
      return reply;
    } catch (error) {
      // A refusal is a reply in time.
      const isRefusal =
        error instanceof ErrorReply && !(this.#context.onFailure && isUnable(error));
      if (isRefusal) this.#succeeded();
      else this.fail(error);
      throw error;
    }
  }

  /** Opens the circuit. Further failures while it is open do not count. */
  fail(error: unknown): void {
    if (this.#isWatching) return;
    this.#isOpen = true;
    this.#isWatching = true;
    this.#count(error);
    void this.probe();
  }

  /** Checks whether Redis answers, and repeats that until it does. */
  async probe(): Promise<void> {
    if (!this.#isOpen || this.#isEnded || this.#isProbing) return;
    this.#isWatching = true;
    clearTimeout(this.#probeTimer);
    this.#isProbing = true;
    // After an unanswered PING a second one is not answered either: the first one is reused until it ends.
    const isNew = this.#ping === undefined;
    this.#ping ??= this.#context.ping().finally(() => (this.#ping = undefined));
    const error = await within(this.#ping, this.#context.timeoutMs).then(nothing, asError);
    this.#isProbing = false;
    if (this.#isEnded) return;
    if (error !== undefined) {
      this.#count(error);
      const delayMs = Math.min(FIRST_PROBE_MS * 2 ** (this.#failures - 1), LONGEST_PROBE_MS);
      this.#probeTimer = setTimeout(() => void this.probe(), delayMs).unref();
    } else if (isNew) {
      this.#isOpen = false;
      this.#isWatching = false;
      this.#context.onClose();
    } else {
      void this.probe();
    }
  }

  /** Opens the circuit for good. */
  end(): void {
    this.#isOpen = true;
    this.#isEnded = true;
    clearTimeout(this.#probeTimer);
  }

  #count(error: unknown): void {
    this.#failures++;
    if (!this.#isEnded) this.#context.onFailure?.();
    if (this.#failures < FAILURES_OF_AN_OUTAGE || this.#isReported || this.#isEnded) return;
    this.#isReported = true;
    this.#context.onOutage(error);
  }

  #succeeded(): void {
    this.#failures = 0;
    this.#isReported = false;
  }
}

const nothing = (): undefined => undefined;

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
