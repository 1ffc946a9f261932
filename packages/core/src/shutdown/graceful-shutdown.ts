import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import type { Connections } from './connections.ts';
import type { ShutdownTimes } from './shutdown-options.ts';

/** A target of `shutDownOnSignals()`: a handler or a middleware. */
export interface Drainable {
  /** Begins the shutdown: from then on, the `ready` probe responds with 503. Requests still get their responses. */
  drain(): void;
  /**
   * Stops background work, writes the request log and calls `onClose`. Call it after the last response.
   *
   * @returns A promise, the same for each call. It rejects with `NG_SSR_CLOSE_FAILED` if `onClose` fails.
   */
  close(): Promise<void>;
}

const TIMEOUT = Symbol('timeout');

/**
 * Shuts a server down without losing a request: it is taken out of service, stops accepting connections,
 * answers the requests in flight, and closes each connection after its last answer.
 */
export class GracefulShutdown {
  readonly #connections: Connections | undefined;
  readonly #target: Drainable;
  readonly #times: ShutdownTimes;
  #ended: Promise<boolean> | undefined;

  /** @param connections - Undefined if they are unknown: then only `target` is drained and closed. */
  constructor(connections: Connections | undefined, target: Drainable, times: ShutdownTimes) {
    this.#connections = connections;
    this.#target = target;
    this.#times = times;
  }

  /**
   * Begins at the first call; all calls get the same promise.
   *
   * @returns whether everything ended in time; what did not is reported in a line on stderr.
   */
  run(): Promise<boolean> {
    return (this.#ended ??= this.#run());
  }

  async #run(): Promise<boolean> {
    const { graceMs, timeoutMs } = this.#times;
    this.#target.drain();
    this.#connections?.announceClose();
    if (graceMs > 0) await delay(graceMs);

    const timer = new AbortController();
    const timeout = delay(timeoutMs, TIMEOUT, timer).catch(() => undefined);
    try {
      let isInTime = true;
      if ((await Promise.race([this.#drain(), timeout])) === TIMEOUT) {
        isInTime = false;
        const requests = await this.#connections?.cut();
        const count = requests === undefined ? '' : `: ${requests}`;
        console.error(`ng-ssr: shutdown: requests cut off after ${timeoutMs} ms${count}`);
      }
      if ((await Promise.race([this.#target.close(), timeout])) !== TIMEOUT) return isInTime;
      if (isInTime)
        console.error(`ng-ssr: shutdown: close() did not finish within ${timeoutMs} ms`);
      return false;
    } finally {
      timer.abort();
    }
  }

  async #drain(): Promise<void> {
    const connections = this.#connections;
    if (connections === undefined) return;
    await connections.refuse();
    let isEmpty = false;
    const empty = connections.whenEmpty().then(() => {
      isEmpty = true;
    });
    while (!isEmpty) {
      // After this turn, a request that has reached this machine has been read.
      await setImmediate();
      const quietMs = connections.closeIdle();
      const timer = new AbortController();
      await Promise.race([empty, delay(quietMs, undefined, timer).catch(() => undefined)]);
      timer.abort();
    }
  }
}
