import { SsrError } from '../../../errors.ts';
import { parseHttpDate } from '../../../http/http-date.ts';
import { NEVER_STORED } from '../../../pages/flights/to-stored-page.ts';
import { invalidatedTargets } from '../../../pages/policy/invalidation.ts';
import { type Lifetime, mayStoreCall } from '../../../pages/policy/may-store.ts';
import type { PurgeObserver } from '../../../pages/purges.ts';
import type { StoredPage } from '../../../pages/stored-page.ts';
import { isOfCall, pathOfCall } from '../../../pages/path-of-call.ts';
import type { Tier } from '../../../pages/tier.ts';
import type { Purge } from '../../../purge.ts';
import { mergeProvenance, type Provenance } from '../../../render/provenance.ts';
import type { CallRequest, CallResponse, SendCall, SentResponse } from '../call-request.ts';
import { provenanceOf } from '../provenance.ts';
import { shownUrl } from '../shown-url.ts';
import { type CallFlight, CallFlights, type Departure, isFailure } from './call-flights.ts';
import { type CallKey, keyOf, variantHeadersOf, variantKeyOf } from './call-key.ts';
import { CallMemory } from './call-memory.ts';
import { HeldCall } from './held-call.ts';
import { type CallOutcome, ofHeld, toCallResponse } from './call-outcome.ts';
import { readRequestDirectives, type RequestDirectives } from './request-directives.ts';
import { confirms, freshen, isValidatable, toConditional } from './validation.ts';
import { readWhole } from './whole-body.ts';

/** A response that varies by more headers would hardly ever be a hit. */
const MOST_VARIANT_HEADERS = 8;

export interface CallCacheParts {
  /** Bounds the memory of stored calls; 0 if none is stored. */
  readonly maxBytes: number;
  readonly onError: (error: SsrError) => void;
}

/** A call that renders may share, while it is answered. */
interface SharedCall {
  readonly call: CallRequest;
  readonly key: CallKey;
  readonly directives: RequestDirectives;
  readonly isStored: boolean;
}

/** The response of the API, with all that decides whether it is stored. */
interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly isRedirected: boolean;
  readonly provenance: Provenance;
}

/** Answers calls from stored responses (RFC 9111, as a shared cache), joins equal ones, or sends them. */
export class CallCache implements PurgeObserver {
  readonly #memory: CallMemory;
  readonly #flights = new CallFlights();
  readonly #send: SendCall;
  readonly #onError: (error: SsrError) => void;
  #tier: Tier | undefined;

  constructor({ maxBytes, onError }: CallCacheParts, send: SendCall) {
    this.#memory = new CallMemory(maxBytes);
    this.#send = send;
    this.#onError = onError;
  }

  /** @param tier - Asked after the memory. */
  share(tier: Tier | undefined): void {
    this.#tier = tier;
  }

  purged(purge: Purge): void {
    const { tag, prefix } = purge;
    if (tag !== undefined || prefix === '/' || isOfCall(purge)) this.#memory.purge(purge);
  }

  /** Removes the stored responses of the URLs that an unsafe call has changed (RFC 9111 section 4.4). */
  invalidate(
    { url }: CallRequest,
    { status, headers }: Pick<SentResponse, 'status' | 'headers'>,
  ): void {
    const header = (name: string): string | undefined => headers.get(name) ?? undefined;
    const targets = invalidatedTargets(url.origin, url.pathname, { status, header });
    for (const target of targets) {
      const path = pathOfCall(new URL(url.origin + target));
      this.#memory.purge({ path });
      void this.#tier?.invalidate(path).then((mayHaveReadOld) => {
        if (mayHaveReadOld) this.#memory.purge({ path });
      });
    }
  }

  get storedBytes(): number {
    return this.#memory.bytes;
  }

  /** Ends the calls in flight: refreshes, when the server closes. */
  close(): void {
    this.#flights.close();
  }

  async answer(call: CallRequest): Promise<CallResponse> {
    const { rule } = call;
    const key = rule.cache !== undefined || rule.dedupe ? keyOf(call) : undefined;
    if (key === undefined) return this.#send(call);

    const directives = readRequestDirectives(call);
    const isStored = rule.cache !== undefined && this.#memory.isOn;
    const shared: SharedCall = { call, key, directives, isStored };
    const held = isStored ? this.#memory.find(key.primary, call.headers) : undefined;
    const use = held?.useFor(directives) ?? 'expired';
    const isSpared = use === 'if-error' && held!.isBackedOff && !directives.isValidated;
    if (use === 'fresh' || use === 'stale' || isSpared) {
      if (use === 'stale') this.#refresh(shared, held!);
      const result = use === 'fresh' ? 'hit' : 'stale';
      return toCallResponse(ofHeld(held!, call.url.href, result), call, false);
    }
    const departure = this.#departureOf(shared, held, use === 'if-error');
    const own = use === 'if-error' ? () => ofHeld(held!, call.url.href, 'stale') : undefined;
    const alone = (): Promise<CallResponse> =>
      this.#flights.startAlone(call, departure).wait(call, own);
    // A call of a page that another call waits for joins none: two such chains could wait for each other.
    if (!rule.dedupe || call.chain.length > 1 || this.#flights.isUnshared(key.flight)) {
      return alone();
    }
    const inFlight = this.#flights.get(key.flight);
    if (inFlight === undefined || !this.#memory.isCurrent(inFlight)) {
      return this.#flights.start(call, departure, false).wait(call, own);
    }
    // A call waits for the one that it was redirected to, which could lead back to it.
    if ((call.redirects ?? 0) > 0) return alone();
    return (await inFlight.join(call, own)) ?? alone();
  }

  /** Asks for a new response while the stale one is used (RFC 5861 section 3). */
  #refresh(shared: SharedCall, held: HeldCall): void {
    if (held.isRefreshing || held.isBackedOff) return;
    // A flight that a purge has made useless stays that of its callers.
    const inFlight = this.#flights.get(shared.key.flight);
    if (inFlight !== undefined && this.#memory.isCurrent(inFlight)) return;
    held.isRefreshing = true;
    const get = { ...shared, call: { ...shared.call, method: 'GET', chain: [] } };
    const departure = this.#departureOf(get, held, false);
    const done = (): void => void (held.isRefreshing = false);
    this.#flights.start(get.call, departure, true).outcome.then(done, done);
  }

  #departureOf(shared: SharedCall, held: HeldCall | undefined, isFallback: boolean): Departure {
    const { call, key } = shared;
    return {
      key: key.flight,
      path: pathOfCall(call.url),
      purgesSeen: this.#memory.latestPurge,
      run: (flight) => this.#fly(shared, held, isFallback, flight),
    };
  }

  /** @param isFallback - Whether the stored response may be used if the API fails. */
  async #fly(
    shared: SharedCall,
    inMemory: HeldCall | undefined,
    isFallback: boolean,
    flight: CallFlight,
  ): Promise<CallOutcome> {
    const { directives, isStored } = shared;
    const { url, method } = flight.call;
    const version = isStored && method === 'GET' ? this.#tier?.version() : undefined;
    let held = inMemory;
    let mayFallBack = isFallback;
    const toFallback = (): CallOutcome | undefined =>
      mayFallBack && held !== undefined ? ofHeld(held, url.href, 'stale') : undefined;
    flight.fallback = toFallback;
    if (version !== undefined && directives.mayUse) {
      const found = await this.#findShared(shared, flight);
      if (found !== undefined && (held === undefined || found.bornAtMs > held.bornAtMs)) {
        held = found;
        const use = found.useFor(directives);
        if (use === 'fresh') return ofHeld(found, url.href, 'hit');
        mayFallBack = use !== 'expired';
        // A flight that is itself a refresh has found no fresher one.
        if (use === 'stale' && inMemory === undefined) {
          void flight.outcome.then(() => this.#refresh(shared, found));
          return ofHeld(found, url.href, 'stale');
        }
      }
    }
    try {
      const outcome = await this.#ask(shared, held, flight, version);
      if (outcome.status < 500 || held === undefined) return outcome;
      this.#backOff(held, shared, `its status is ${outcome.status}`);
      return toFallback() ?? outcome;
    } catch (error) {
      if (held !== undefined && isFailure(error)) {
        this.#backOff(held, shared, error);
        const stale = toFallback();
        if (stale !== undefined) return stale;
      }
      throw error;
    }
  }

  /** The response of the shared store, which is then in memory too. Never rejects. */
  async #findShared({ key }: SharedCall, { call }: CallFlight): Promise<HeldCall | undefined> {
    const purgesSeen = this.#memory.latestPurge;
    const found = await this.#tier!.find(
      key.shared,
      (names) => variantKeyOf(key.shared, names, call.headers),
      (page) => new HeldCall(page, 0).bornAtMs,
    );
    if (found === undefined || found.isPurged) return undefined;
    const { brotli: _unused, ...page } = found.page;
    const held = new HeldCall(page, purgesSeen, found.bornAtMs);
    const { vary = [] } = found.variants ?? {};
    const entryKey = entryKeyOf(key.primary, vary, call);
    return this.#memory.set(key.primary, entryKey, held, vary) ? held : undefined;
  }

  /** Asks the API, with the validators of a stored response, and stores what may be. */
  async #ask(
    shared: SharedCall,
    held: HeldCall | undefined,
    flight: CallFlight,
    version: number | undefined,
  ): Promise<CallOutcome> {
    const { call } = flight;
    const mayConfirm = isValidatable(held) && call.method === 'GET' && shared.directives.mayStore;
    let response = await this.#send(mayConfirm ? toConditional(call, held) : call);
    if (mayConfirm && response.status === 304) {
      await readWhole(response, call);
      if (confirms(response.headers, held) && !response.isRedirected) {
        const headers = freshen(held, response.headers);
        const { status, body } = held.page;
        const provenance = provenanceOfConfirmed(call, held, headers, response, flight.sinceMs);
        const received = {
          ...{ status, headers, body: body as Uint8Array<ArrayBuffer> },
          ...{ isRedirected: false, provenance },
        };
        const confirmed = this.#take(shared, received, flight, version);
        return { ...confirmed, statusText: status === 200 ? 'OK' : '', result: 'revalidated' };
      }
      response = await this.#send(call);
    }
    const { statusText, url } = response;
    const received = { ...response, body: await readWhole(response, call) };
    return { ...this.#take(shared, received, flight, version), statusText, url };
  }

  /** Stores a response if that is allowed. One that came by redirects has another URL, and is not stored. */
  #take(
    shared: SharedCall,
    { status, headers, body, isRedirected, provenance }: Received,
    flight: CallFlight,
    version: number | undefined,
  ): CallOutcome {
    const { key, call, directives, isStored } = shared;
    const nowMs = Date.now();
    // Since the request: RFC 9111 section 4.2.3 counts the delay of the response.
    const delaySeconds = (performance.now() - flight.sinceMs) / 1000;
    const lifetime = mayStoreCall({ status, headers }, call.rule.cache, false, nowMs);
    const isStorable = typeof lifetime !== 'string';
    const ageSeconds = isStorable ? lifetime.initialAgeSeconds + delaySeconds : 0;
    const bornAtMs = performance.now() - ageSeconds * 1000;
    const outcome: CallOutcome = {
      ...{ status, statusText: '', headers, body, url: call.url.href, isRedirected, provenance },
      result: call.rule.cache === undefined ? 'bypass' : 'miss',
    };
    const isWanted = isStored && directives.mayStore && flight.call.method === 'GET';
    // A later call has a newer response, or will have one.
    if (!isWanted || (call.rule.dedupe && !this.#flights.isLatest(key.flight, flight)))
      return outcome;
    const vary = variantHeadersOf(headers);
    if (!isStorable || isRedirected || vary.length > MOST_VARIANT_HEADERS) {
      if (status < 500) this.#forget(shared);
      return outcome;
    }
    const dateMs = nowMs - ageSeconds * 1000;
    // A page that answers it may have been purged, and is then no longer fresh.
    const mostSeconds = (provenance.freshUntilMs - bornAtMs) / 1000;
    const freshSeconds = Math.max(0, Math.min(lifetime.freshSeconds, mostSeconds));
    const path = pathOfCall(call.url);
    const page = toPage(
      { status, headers, body },
      { ...lifetime, freshSeconds },
      ...([path, provenance.tags, dateMs] as const),
    );
    const held = new HeldCall(page, flight.purgesSeen, bornAtMs);
    const isHeld = this.#memory.set(key.primary, entryKeyOf(key.primary, vary, call), held, vary);
    const { staleWhileRevalidateSeconds, staleIfErrorSeconds } = page;
    const seconds = freshSeconds + Math.max(staleWhileRevalidateSeconds, staleIfErrorSeconds);
    if (isHeld && version !== undefined && seconds > ageSeconds) {
      const entryKey = entryKeyOf(key.shared, vary, call);
      void this.#tier?.set(key.shared, entryKey, page, vary, version);
    }
    return outcome;
  }

  /** Drops the stored response: the newest one must not be stored. */
  #forget({ call, key }: SharedCall): void {
    const { primary, shared } = key;
    if (this.#memory.find(primary, call.headers) === undefined) return;
    this.#memory.delete(primary);
    void this.#tier?.delete(shared);
  }

  #backOff(held: HeldCall, { call }: SharedCall, cause: unknown): void {
    const waitMs = held.backOff();
    if (waitMs === undefined || !held.isRefreshing) return;
    const message = `the stored API call ${call.method} ${shownUrl(call.url)} could not be refreshed; retry in ${waitMs} ms`;
    this.#onError(new SsrError('NG_SSR_REFRESH_FAILED', message, { cause }));
  }
}

/** The key of a response whose Vary names these headers. */
function entryKeyOf(key: string, vary: readonly string[], { headers }: CallRequest): string {
  return vary.length === 0 ? key : variantKeyOf(key, vary, headers);
}

/** What a stored response depends on after a 304 has updated its headers. */
function provenanceOfConfirmed(
  call: CallRequest,
  { page: { status, tags } }: HeldCall,
  headers: Headers,
  { provenance }: CallResponse,
  sinceMs: number,
): Provenance {
  const stored = provenanceOf(call, { status, headers }, sinceMs);
  // A 304 has no freshness of its own.
  const confirming = { ...provenance, freshUntilMs: stored.freshUntilMs };
  return mergeProvenance([{ ...stored, tags: [...tags, ...stored.tags] }, confirming]);
}

function toPage(
  { status, headers, body }: Pick<Received, 'status' | 'headers' | 'body'>,
  lifetime: Lifetime,
  path: string,
  tags: readonly string[],
  dateMs: number,
): StoredPage {
  const { freshSeconds, staleWhileRevalidateSeconds, staleIfErrorSeconds } = lifetime;
  const list: string[] = [];
  for (const [name, value] of headers) {
    const isInvalidDate = name === 'date' && parseHttpDate(value) === undefined;
    if (!NEVER_STORED.has(name) && !isInvalidDate) list.push(name, value);
  }
  return {
    ...{ status, headers: list, body, path, tags, dateMs },
    ...{ freshSeconds, staleWhileRevalidateSeconds, staleIfErrorSeconds },
  };
}
