import type { CallRequest } from '../call-request.ts';
import { callError } from '../call-errors.ts';

interface Line {
  running: number;
  readonly waiting: Set<() => void>;
}

/** Limits the calls to each origin that are in flight at a time, and those that wait. */
export class OriginQueue {
  readonly #lines = new Map<string, Line>();

  /**
   * Waits for a place.
   *
   * @returns to be called when the call has ended; undefined for a call without a limit, and for one of a page that another call waits for.
   * @throws SsrError `NG_SSR_CALL_OVERLOADED`; the reason of the call's signal.
   */
  enter(call: CallRequest): Promise<() => void> | undefined {
    if (call.rule.concurrency === Number.POSITIVE_INFINITY) return undefined;
    // A page waits for the page that calls. Its own call may have the place which this one would wait for.
    if (call.chain.length > 1) return undefined;
    return this.#enter(call);
  }

  async #enter(call: CallRequest): Promise<() => void> {
    const { signal, rule, url } = call;
    const { concurrency, maxQueued, pattern } = rule;
    // It would leave a line without calls.
    signal.throwIfAborted();
    const key = `${pattern} ${url.origin}`;
    const line = this.#lines.get(key) ?? { running: 0, waiting: new Set() };
    this.#lines.set(key, line);
    if (line.running < concurrency) line.running++;
    else if (line.waiting.size >= maxQueued) {
      const happened = `found a full queue of ${maxQueued} calls (maxQueued and concurrency of its rule)`;
      throw callError('NG_SSR_CALL_OVERLOADED', call, happened);
    } else {
      // The place of the call that ends is handed on: `running` stays.
      await new Promise<void>((resolve, reject) => {
        const leave = (): void => {
          line.waiting.delete(begin);
          reject(signal.reason as Error);
        };
        const begin = (): void => {
          signal.removeEventListener('abort', leave);
          resolve();
        };
        line.waiting.add(begin);
        signal.addEventListener('abort', leave, { once: true });
      });
    }
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      const [next] = line.waiting;
      if (next !== undefined) {
        line.waiting.delete(next);
        return next();
      }
      if (--line.running === 0) this.#lines.delete(key);
    };
  }
}
