import { AsyncLocalStorage } from 'node:async_hooks';
import { SsrError } from '../../../errors.ts';
import { UnsharedKeys } from '../../../pages/memory/unshared-keys.ts';
import type { CallRequest, CallResponse } from '../call-request.ts';
import { callError, forCaller } from '../call-errors.ts';
import { isSameVariant } from './call-key.ts';
import { type CallOutcome, toCallResponse } from './call-outcome.ts';

/** In messages of a call that renders share: a page's target may be for one client's eyes. */
const SHARED_PAGE = 'a page';
/** The time of a call without `timeoutMs` that no render waits for. */
const MOST_BACKGROUND_MS = 30_000;

/** Sends a call, or answers it otherwise. */
export interface Departure {
  readonly key: string;
  readonly path: string;
  /** The latest purge before it begins. */
  readonly purgesSeen: number;
  run(flight: CallFlight): Promise<CallOutcome>;
}

/** A call that its callers wait for. It ends by itself, or when the last of them has left. */
export class CallFlight {
  /** With the signal of the flight. */
  readonly call: CallRequest;
  readonly path: string;
  readonly purgesSeen: number;
  readonly outcome: Promise<CallOutcome>;
  readonly sinceMs: number = performance.now();
  /** The response for callers whose time is over before the API has answered (RFC 5861 section 4). */
  fallback: () => CallOutcome | undefined = () => undefined;
  readonly #controller = new AbortController();
  /** The render that it was sent for; undefined for a refresh. */
  readonly #render: object | undefined;
  readonly #onLeft: () => void;
  #waiters: number;

  /** @param isBackground - Whether it goes on without callers. */
  constructor(call: CallRequest, departure: Departure, isBackground: boolean, onLeft: () => void) {
    const { signal } = this.#controller;
    const { timeoutMs = isBackground ? MOST_BACKGROUND_MS : undefined } = call.rule;
    this.call = { ...call, headers: new Headers(call.headers), page: SHARED_PAGE, signal };
    this.#render = isBackground ? undefined : call.render;
    this.path = departure.path;
    this.purgesSeen = departure.purgesSeen;
    this.#onLeft = onLeft;
    this.#waiters = isBackground ? 1 : 0;
    const timer = timeoutMs === undefined ? undefined : this.#expireAfter(timeoutMs);
    this.outcome = departure.run(this).finally(() => clearTimeout(timer));
    // It may have no callers.
    this.outcome.catch(() => {});
  }

  /**
   * Waits for the response as long as the caller that it was sent for does.
   *
   * @param own - The caller's response if the API fails.
   * @throws the reason of the caller's signal; SsrError.
   */
  async wait(caller: CallRequest, own?: () => CallOutcome): Promise<CallResponse> {
    return toCallResponse(await this.#land(caller, own), caller, false);
  }

  /**
   * As {@link wait}, for a caller that joins it.
   *
   * @param own - The caller's response if the API fails; the flight may have begun for a caller without one.
   * @returns undefined if the response is not for this caller.
   */
  async join(caller: CallRequest, own?: () => CallOutcome): Promise<CallResponse | undefined> {
    const outcome = await this.#land(caller, own);
    return this.#isFor(outcome, caller) ? toCallResponse(outcome, caller, true) : undefined;
  }

  /** Calls of one render are of one client, as are the responses to them. */
  #isFor({ headers, provenance }: CallOutcome, caller: CallRequest): boolean {
    if (this.#render !== undefined && this.#render === caller.render) return true;
    return provenance.isShareable && isSameVariant(headers, this.call.headers, caller.headers);
  }

  #land(caller: CallRequest, own: (() => CallOutcome) | undefined): Promise<CallOutcome> {
    const { signal } = caller;
    this.#waiters++;
    return new Promise<CallOutcome>((resolve, reject) => {
      const leave = (): void => {
        const reason: unknown = signal.reason;
        const stale = isTimeout(reason) ? (own?.() ?? this.fallback()) : undefined;
        if (--this.#waiters === 0) this.#abort(reason);
        if (stale === undefined) reject(reason as Error);
        else resolve(stale);
      };
      if (signal.aborted) return leave();
      signal.addEventListener('abort', leave, { once: true });
      const stay = (): void => signal.removeEventListener('abort', leave);
      this.outcome.then(
        (outcome) => {
          stay();
          resolve(outcome.status >= 500 && own !== undefined ? own() : outcome);
        },
        (error: unknown) => {
          stay();
          if (own !== undefined && isFailure(error)) resolve(own());
          else reject(forCaller(error, caller) as Error);
        },
      );
    });
  }

  close(): void {
    this.#abort(callError('NG_SSR_CALL_ENDED', this.call, 'was in flight when the server closed'));
  }

  #expireAfter(timeoutMs: number): NodeJS.Timeout {
    return setTimeout(() => {
      const isOwn = this.call.rule.timeoutMs !== undefined;
      const limit = isOwn ? 'timeoutMs of its rule' : 'no page waits for it';
      const happened = `took longer than ${timeoutMs} ms (${limit})`;
      this.#abort(callError('NG_SSR_CALL_TIMEOUT', this.call, happened));
    }, timeoutMs).unref();
  }

  #abort(reason: unknown): void {
    this.#onLeft();
    this.#controller.abort(reason);
  }
}

/** How long calls do not wait for each other after a response that they could not share. */
const UNSHARED_MS = 10_000;

/** Equal calls in flight are one, across renders. */
export class CallFlights {
  /** Keys of calls whose latest response was for one client alone. */
  readonly #unshared = new UnsharedKeys(UNSHARED_MS);
  /** Calls are sent in the async context of the server's start: they belong to no render, and to no request. */
  readonly #runAtStart = AsyncLocalStorage.snapshot();
  readonly #inFlight = new Map<string, CallFlight>();

  get(key: string): CallFlight | undefined {
    return this.#inFlight.get(key);
  }

  /** Whether each call is likely to get a response for one client alone, so that none should wait for another. */
  isUnshared(key: string): boolean {
    return this.#unshared.has(key);
  }

  close(): void {
    for (const flight of this.#inFlight.values()) flight.close();
  }

  isLatest(key: string, flight: CallFlight): boolean {
    return this.#inFlight.get(key) === flight;
  }

  /** Starts a flight that other callers may join. */
  start(call: CallRequest, departure: Departure, isBackground: boolean): CallFlight {
    const { key } = departure;
    const forget = (): void => {
      if (this.#inFlight.get(key) === flight) this.#inFlight.delete(key);
    };
    const flight = this.startAlone(call, departure, isBackground, forget);
    this.#inFlight.set(key, flight);
    flight.outcome.then(forget, forget);
    return flight;
  }

  startAlone(
    call: CallRequest,
    departure: Departure,
    isBackground = false,
    onLeft: () => void = () => undefined,
  ): CallFlight {
    const run = async (flight: CallFlight): Promise<CallOutcome> => {
      const outcome = await departure.run(flight);
      // Before those that wait are told: each that cannot share it sends a call of its own.
      if (outcome.provenance.isShareable) this.#unshared.unmark(departure.key);
      else this.#unshared.mark(departure.key);
      return outcome;
    };
    const marking = { ...departure, run };
    return this.#runAtStart(() => new CallFlight(call, marking, isBackground, onLeft));
  }
}

/** Whether the API has failed, in time or not. */
export function isFailure(error: unknown): boolean {
  return isTimeout(error) || (error instanceof SsrError && error.code === 'NG_SSR_CALL_FAILED');
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof SsrError && reason.code === 'NG_SSR_CALL_TIMEOUT';
}
