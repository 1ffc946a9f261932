import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import type { Connections } from './connections.ts';
import type { ShutdownTimes } from './shutdown-options.ts';

/** What is told of a shutdown. */
export interface Drainable {
  /** It begins: the `ready` probe says 503 from here on. */
  drain(): void;
  /** Every request is answered. */
  close(): Promise<void>;
}

const TIMEOUT = Symbol('timeout');

/**
 * Ends a server without the loss of a request: it is taken out of service, then it takes no new
 * connections, answers what is under way, and closes each connection behind its last answer.
 */
export class GracefulShutdown {
  readonly #connections: Connections | undefined;
  readonly #target: Drainable;
  readonly #times: ShutdownTimes;
  #ended: Promise<boolean> | undefined;

  /**
   * @param connections - Undefined where the server has none of HTTP/1.1: `target.close()` is all then.
   */
  constructor(connections: Connections | undefined, target: Drainable, times: ShutdownTimes) {
    this.#connections = connections;
    this.#target = target;
    this.#times = times;
  }

  /**
   * Begins at the first call; all get the same promise.
   *
   * @returns whether all had ended in time; what had not is told in a line on stderr.
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
        const requests = this.#connections?.cut();
        const count = requests === undefined ? '' : `: ${requests}`;
        console.error(`ng-ssr: shutdown: requests cut off after ${timeoutMs} ms${count}`);
      }
      if ((await Promise.race([this.#target.close(), timeout])) !== TIMEOUT) return isInTime;
      if (isInTime) console.error(`ng-ssr: shutdown: close() has not ended after ${timeoutMs} ms`);
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
      // A request that has reached this machine has been read then.
      await setImmediate();
      const quietMs = connections.closeIdle();
      const timer = new AbortController();
      await Promise.race([empty, delay(quietMs, undefined, timer).catch(() => undefined)]);
      timer.abort();
    }
  }
}
