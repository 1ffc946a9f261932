import { AsyncLocalStorage } from 'node:async_hooks';
import { SsrError } from '../errors.ts';
import type { ResolvedReadyProbe } from './probe-options.ts';

/** Why a check has failed: `cause` is what it has thrown. */
interface Fault {
  readonly message: string;
  readonly cause: unknown;
}

/** A user's readiness check, limited in time and rate. */
export class ReadyCheck {
  readonly #check: () => unknown;
  readonly #timeoutMs: number;
  readonly #intervalMs: number;
  readonly #onError: (error: SsrError) => void;
  /** The check runs in the async context of the start: it belongs to no request. */
  readonly #runAtStart = AsyncLocalStorage.snapshot();
  #known: { readonly isReady: boolean; readonly atMs: number } | undefined;
  #asked: Promise<boolean> | undefined;
  /** A check that has not ended, timed out or not. */
  #running: Promise<Fault | undefined> | undefined;
  #reported: string | undefined;

  /** @param onError - Called with a failure once, until the check succeeds or fails in another way. */
  constructor(
    check: () => unknown,
    { timeoutMs, intervalMs }: ResolvedReadyProbe,
    onError: (error: SsrError) => void,
  ) {
    this.#check = check;
    this.#timeoutMs = timeoutMs;
    this.#intervalMs = intervalMs;
    this.#onError = onError;
  }

  /** The last result if it is recent enough, else the result of the check. Never rejects. */
  isReady(): boolean | Promise<boolean> {
    const known = this.#known;
    if (known !== undefined && performance.now() - known.atMs < this.#intervalMs) {
      return known.isReady;
    }
    return (this.#asked ??= this.#runAtStart(() => this.#ask()));
  }

  async #ask(): Promise<boolean> {
    const fault = await this.#findFault();
    const isReady = fault === undefined;
    this.#known = { isReady, atMs: performance.now() };
    this.#asked = undefined;
    if (fault !== undefined && fault.message !== this.#reported) {
      const { message, cause } = fault;
      this.#onError(new SsrError('NG_SSR_NOT_READY', `probes.ready: ${message}`, { cause }));
    }
    this.#reported = fault?.message;
    return isReady;
  }

  async #findFault(): Promise<Fault | undefined> {
    // A check that hangs is not started again.
    this.#running ??= this.#run().finally(() => (this.#running = undefined));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<Fault>((resolve) => {
      const message = `the check took longer than ${this.#timeoutMs} ms`;
      timer = setTimeout(() => resolve({ message, cause: undefined }), this.#timeoutMs);
    });
    try {
      return await Promise.race([this.#running, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #run(): Promise<Fault | undefined> {
    try {
      const result = await this.#check();
      return result === false
        ? { message: 'the check returned false', cause: undefined }
        : undefined;
    } catch (cause) {
      return { message: `the check failed: ${describe(cause)}`, cause };
    }
  }
}

/** As text, also for values that `String` rejects. */
function describe(cause: unknown): string {
  try {
    return String(cause);
  } catch {
    return 'with no message';
  }
}
