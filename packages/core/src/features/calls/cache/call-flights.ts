import { AsyncLocalStorage } from 'node:async_hooks';
import { SsrError } from '../../../errors.ts';
import { UnsharedKeys } from '../../../pages/memory/unshared-keys.ts';
import type { AskedCall, CallResponse } from '../asked-call.ts';
import { callError, forCaller } from '../call-errors.ts';
import { isSameVariant } from './call-key.ts';
import { type LandedCall, toCallResponse } from './landed-call.ts';

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
  run(flight: CallFlight): Promise<LandedCall>;
}

/** A call that its callers wait for. It ends by itself, or when the last of them has left. */
export class CallFlight {
  /** With the signal of the flight. */
  readonly call: AskedCall;
  readonly path: string;
  readonly purgesSeen: number;
  readonly landed: Promise<LandedCall>;
  readonly sinceMs: number = performance.now();
  /** The response for callers whose time is over before the API has answered (RFC 5861 section 4). */
  fallback: () => LandedCall | undefined = () => undefined;
  readonly #controller = new AbortController();
  /** The render that it was sent for; undefined for a refresh. */
  readonly #render: object | undefined;
  readonly #onLeft: () => void;
  #waiters: number;

  /** @param isBackground - Whether it goes on without callers. */
  constructor(call: AskedCall, departure: Departure, isBackground: boolean, onLeft: () => void) {
    const { signal } = this.#controller;
    const { timeoutMs = isBackground ? MOST_BACKGROUND_MS : undefined } = call.rule;
    this.call = { ...call, headers: new Headers(call.headers), page: SHARED_PAGE, signal };
    this.#render = isBackground ? undefined : call.render;
    this.path = departure.path;
    this.purgesSeen = departure.purgesSeen;
    this.#onLeft = onLeft;
    this.#waiters = isBackground ? 1 : 0;
    const timer = timeoutMs === undefined ? undefined : this.#expireAfter(timeoutMs);
    this.landed = departure.run(this).finally(() => clearTimeout(timer));
    // It may have no callers.
    this.landed.catch(() => {});
  }

  /**
   * Waits for the response as long as the caller that it was sent for does.
   *
   * @param own - The caller's response if the API fails.
   * @throws the reason of the caller's signal; SsrError.
   */
  async wait(caller: AskedCall, own?: () => LandedCall): Promise<CallResponse> {
    return toCallResponse(await this.#land(caller, own), caller, false);
  }

  /**
   * As {@link wait}, for a caller that joins it.
   *
   * @param own - The caller's response if the API fails; the flight may have begun for a caller without one.
   * @returns undefined if the response is not for this caller.
   */
  async join(caller: AskedCall, own?: () => LandedCall): Promise<CallResponse | undefined> {
    const landed = await this.#land(caller, own);
    return this.#isFor(landed, caller) ? toCallResponse(landed, caller, true) : undefined;
  }

  /** Calls of one render are of one client, as are the responses to them. */
  #isFor({ headers, provenance }: LandedCall, caller: AskedCall): boolean {
    if (this.#render !== undefined && this.#render === caller.render) return true;
    return provenance.isShareable && isSameVariant(headers, this.call.headers, caller.headers);
  }

  #land(caller: AskedCall, own: (() => LandedCall) | undefined): Promise<LandedCall> {
    const { signal } = caller;
    this.#waiters++;
    return new Promise<LandedCall>((resolve, reject) => {
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
      this.landed.then(
        (landed) => {
          stay();
          resolve(landed.status >= 500 && own !== undefined ? own() : landed);
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
    this.#abort(callError('NG_SSR_CALL_ENDED', this.call, 'was under way when the server closed'));
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

/** Equal calls under way are one, across renders. */
export class CallFlights {
  /** Keys of calls whose latest response was for one client alone. */
  readonly #unshared = new UnsharedKeys(UNSHARED_MS);
  /** Calls are sent in the async context of the server's start: they belong to no render, and to no request. */
  readonly #runAtStart = AsyncLocalStorage.snapshot();
  readonly #underWay = new Map<string, CallFlight>();

  get(key: string): CallFlight | undefined {
    return this.#underWay.get(key);
  }

  /** Whether each call is likely to get a response for one client alone, so that none should wait for another. */
  isUnshared(key: string): boolean {
    return this.#unshared.has(key);
  }

  close(): void {
    for (const flight of this.#underWay.values()) flight.close();
  }

  isLatest(key: string, flight: CallFlight): boolean {
    return this.#underWay.get(key) === flight;
  }

  /** Starts a flight that other callers may join. */
  start(call: AskedCall, departure: Departure, isBackground: boolean): CallFlight {
    const { key } = departure;
    const forget = (): void => {
      if (this.#underWay.get(key) === flight) this.#underWay.delete(key);
    };
    const flight = this.startAlone(call, departure, isBackground, forget);
    this.#underWay.set(key, flight);
    flight.landed.then(forget, forget);
    return flight;
  }

  startAlone(
    call: AskedCall,
    departure: Departure,
    isBackground = false,
    onLeft: () => void = () => undefined,
  ): CallFlight {
    const run = async (flight: CallFlight): Promise<LandedCall> => {
      const landed = await departure.run(flight);
      // Before those that wait are told: each that cannot share it sends a call of its own.
      if (landed.provenance.isShareable) this.#unshared.unmark(departure.key);
      else this.#unshared.mark(departure.key);
      return landed;
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
