import { SsrError } from '../errors.ts';
import type { Exchange } from '../exchange.ts';
import { Demand } from '../render/demand.ts';
import type { Rendered } from '../render/render-whole.ts';
import { channelOf } from '../telemetry/channels.ts';
import type { KeyMaker } from './cache-key.ts';
import { type Flight, isFailure, type Outcome } from './flight.ts';
import { ageOf, HeldPage } from './held-page.ts';
import { mayStore, type Reason } from './may-store.ts';
import { hasNonce, type NonceFiller } from './nonce.ts';
import type { PageMemory } from './page-memory.ts';
import type { StoredPage } from './page-store.ts';
import type { SharedPages } from './shared-pages.ts';
import { useOf } from './use-of.ts';
import { toStoredPage, variantFields } from './to-stored-page.ts';

/** What flights are made with. */
export interface FlightContext {
  readonly memory: PageMemory;
  readonly keys: KeyMaker;
  readonly shared: SharedPages | undefined;
  /** Renders and reads the body; undefined when the path is not the application's. */
  readonly render: (flight: Flight) => Promise<Rendered | undefined>;
  /** Fills the nonce that pages may carry; others are for one answer alone. */
  readonly nonce: NonceFiller | undefined;
  /** Whether codings are made of stored pages. */
  readonly isCoded: boolean;
  readonly onError: (error: SsrError) => void;
}

/** A flight that has not ended: who waits for it joins its demand. */
export interface UnderWay {
  /** Never rejects. */
  readonly outcome: Promise<Outcome>;
  readonly demand: Demand;
}

type Share = (pageKey: string, page: StoredPage, vary: readonly string[]) => Promise<void>;

/** A refresh that gets no place for so long is dropped, and tried again later. */
const REFRESH_WAIT_MS = 5000;
const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 60_000;
/** A page that varies by more than these would hardly ever be a hit. */
const MOST_VARIANT_FIELDS = 8;

/** Reasons that lie in the one request, and say nothing about the page's next. */
const OF_THE_REQUEST: ReadonlySet<Reason> = new Set<Reason>(['authorization', 'request-no-store']);

/** For so long other processes do not wait for such a page: those that do now must hear of it. */
const UNSHARED_MS = 10_000;

/** Single flight: renders under way, each once for all who ask for its key meanwhile. */
export class Flights {
  readonly #context: FlightContext;
  readonly #underWay = new Map<string, UnderWay>();

  constructor(context: FlightContext) {
    this.#context = context;
  }

  /** The flight to wait for, if there is one. */
  find(key: string): UnderWay | undefined {
    return this.#underWay.get(key);
  }

  /** Starts one that others may wait for. Never rejects. */
  start(flight: Flight): Promise<Outcome> {
    return this.#launch(flight, this.#obtain(flight, false));
  }

  /** Starts one for a single request: its page is stored if it may be. Never rejects. */
  startAlone(flight: Flight): Promise<Outcome> {
    const { memory, shared } = this.#context;
    const hasCome = memory.expect(flight.asked.routePath);
    const share = this.#toShare(flight, shared?.version());
    return this.#renderAndStore(flight, false, share).catch(toFailure).finally(hasCome);
  }

  /** Renders a page anew behind answers with the old one, which stays when that fails. */
  refresh(held: HeldPage, toFlight: () => Flight): void {
    if (held.isRefreshing || performance.now() < held.retryAtMs) return;
    const demand = new Demand(performance.now() + REFRESH_WAIT_MS);
    const flight = { ...toFlight(), terms: { mayQueue: true, demand } };
    if (this.#underWay.has(flight.key)) return;
    held.isRefreshing = true;
    void this.#launch(flight, this.#obtain(flight, true)).then((outcome) => {
      held.isRefreshing = false;
      if (isRefreshFailure(outcome)) {
        this.backOff(held, outcome.kind === 'failed' ? outcome.error : undefined);
      }
    });
  }

  /** Notes that a page could not be rendered anew: for some time nobody tries again. */
  backOff(held: HeldPage, cause: unknown): void {
    if (performance.now() < held.retryAtMs) return;
    const waitMs = Math.min(FIRST_RETRY_MS * 2 ** held.failedRefreshes++, LAST_RETRY_MS);
    held.retryAtMs = performance.now() + waitMs;
    // That there are too many renders is said once for all of them.
    if (cause instanceof SsrError && cause.code === 'NG_SSR_OVERLOADED') return;
    const message = `${held.page.path} could not be rendered anew: tried again after ${waitMs} ms`;
    this.#context.onError(new SsrError('NG_SSR_REFRESH_FAILED', message, { cause }));
  }

  #launch({ key, asked, terms }: Flight, obtained: Promise<Outcome>): Promise<Outcome> {
    const hasCome = this.#context.memory.expect(asked.routePath);
    const outcome = obtained.catch(toFailure).finally(hasCome);
    this.#underWay.set(key, { outcome, demand: terms.demand });
    void outcome.then(() => this.#underWay.delete(key));
    return outcome;
  }

  /** From the shared store, or rendered by this process while others wait for its lease. */
  async #obtain(flight: Flight, isRefresh: boolean): Promise<Outcome> {
    const { shared, memory, keys, nonce } = this.#context;
    if (shared === undefined) return this.#renderAndStore(flight, isRefresh, undefined);
    const purgesSeen = memory.purges.latest;
    const { found, lease, isUnshared } = await shared.obtain(
      flight.key,
      flight.asked.routePath,
      isRefresh,
      flight.terms.demand.deadlineAtMs,
      (names) => keys.variantKey(flight.key, names, flight.exchange),
      (page, key) => this.#birthOf(page, key),
    );
    // Without the option nothing can fill a page that another process has stored with it.
    if (found !== undefined && (nonce !== undefined || found.page.nonceAt === undefined)) {
      const page = nonce?.fromShared(found.page) ?? found.page;
      const held = new HeldPage(page, purgesSeen, this.#context.isCoded, found.bornAtMs);
      if (found.isPurged) held.staleAtMs = Math.min(held.staleAtMs, performance.now());
      if (found.variants !== undefined) memory.set(flight.key, found.variants);
      memory.set(found.key, held);
      return { kind: 'stored', key: found.key, held, isRendered: false };
    }
    if (isUnshared === true && !isRefresh) {
      memory.markUnshared(flight.key);
      return { kind: 'apart' };
    }
    let storing: Promise<void> | undefined;
    let unsharedMs: number | undefined;
    const share = this.#toShare(flight, shared.version());
    try {
      const outcome = await this.#renderAndStore(
        flight,
        isRefresh,
        share && ((...page) => (storing = share(...page))),
      );
      if (isForOneReader(outcome)) unsharedMs = UNSHARED_MS;
      return outcome;
    } finally {
      // Whoever gets the lease next must find the page.
      void Promise.resolve(storing).then(() => lease?.release(unsharedMs));
    }
  }

  /** A page that came from the store before is counted from then on, whatever its writer's clock says. */
  #birthOf(page: StoredPage, key: string): number {
    const bornAtMs = performance.now() - ageOf(page);
    const earlier = this.#context.memory.get(key);
    const isSame = earlier instanceof HeldPage && earlier.page.dateMs === page.dateMs;
    return isSame ? Math.min(bornAtMs, earlier.bornAtMs) : bornAtMs;
  }

  #toShare({ key }: Flight, version: number | undefined): Share | undefined {
    const { shared, keys, nonce } = this.#context;
    if (shared === undefined || version === undefined) return undefined;
    return (pageKey, page, vary) => {
      const sent = nonce?.toShared(page) ?? page;
      return shared.set(keys.primaryOf(key), pageKey, sent, vary, version);
    };
  }

  async #renderAndStore(
    flight: Flight,
    isRefresh: boolean,
    share: Share | undefined,
  ): Promise<Outcome> {
    const { memory, keys, nonce, isCoded } = this.#context;
    const { key, asked, exchange } = flight;
    const purgesSeen = memory.purges.latest;
    const rendered = await this.#context.render(flight);
    if (rendered === undefined) {
      this.#forget(key, true);
      return { kind: 'declined' };
    }

    const nowMs = Date.now();
    const { response } = rendered;
    const unshared = (reason: Reason): Outcome => {
      const outcome: Outcome = { kind: 'unshared', rendered, reason };
      if (isForOneReader(outcome) && !(isRefresh && isRefreshFailure(outcome))) {
        this.#forget(key, isRefresh || asked.isShared || !isOfOneClient(flight, response.status));
      }
      tellStore(asked.path, rendered, reason, undefined);
      return outcome;
    };
    if (rendered.hasErrors === true) return unshared('errors');
    // A refresh is this server's own request.
    if (!isRefresh && asksNotToStore(exchange)) return unshared('request-no-store');
    const lifetime = mayStore(response, asked.rule, hasAuthorization(flight), nowMs);
    if (typeof lifetime === 'string') return unshared(lifetime);
    if (hasNonce(rendered, nonce?.document)) return unshared('nonce');
    const vary = variantFields(response, asked);
    if (vary.length > MOST_VARIANT_FIELDS) return unshared('vary-too-many');

    const page = toStoredPage(rendered, asked, lifetime, nowMs);
    const held = new HeldPage(page, purgesSeen, isCoded);
    const primary = keys.primaryOf(key);
    const pageKey = vary.length === 0 ? primary : keys.variantKey(primary, vary, exchange);
    const earlier = memory.get(pageKey);
    if (earlier instanceof HeldPage) held.adopt(earlier);
    if (!memory.set(pageKey, held)) return unshared('too-large');
    if (vary.length > 0) memory.set(primary, { vary });
    void share?.(pageKey, page, vary);
    tellStore(asked.path, rendered, undefined, page.freshSeconds);
    return { kind: 'stored', key: pageKey, held, isRendered: true };
  }

  /**
   * The page's latest word is that it must not be stored: an earlier one is no good any more.
   *
   * @param isOfAll - Whether the page itself is the reason. The client may be: then a page that may
   * still be used is kept, for a refresh to ask.
   */
  #forget(key: string, isOfAll: boolean): void {
    const { memory, shared } = this.#context;
    memory.markUnshared(key);
    const held = memory.get(key);
    if (!(held instanceof HeldPage)) return;
    if (!isOfAll && useOf(held, performance.now()) !== 'expired') return;
    memory.delete(key);
    void shared?.delete(key);
  }
}

/** Whether the reason for an answer may lie in who asks, or how: it says little about the page. */
function isOfOneClient({ request }: Flight, status: number): boolean {
  const isRefused = status >= 400 && status !== 404 && status !== 410;
  return isRefused || request.headers.has('cookie') || request.headers.has('authorization');
}

/** Whether a refresh has failed; one that is asked for credentials has none, and says nothing else. */
function isRefreshFailure(outcome: Outcome): boolean {
  if (isFailure(outcome)) return true;
  return outcome.kind === 'unshared' && UNAUTHORIZED.has(outcome.rendered.response.status);
}

const UNAUTHORIZED: ReadonlySet<number> = new Set([401, 407]);

/** Whether the next request for the page will have an answer that is not to be shared, too. */
function isForOneReader(outcome: Outcome): boolean {
  if (outcome.kind !== 'unshared') return outcome.kind === 'declined';
  return !isFailure(outcome) && !OF_THE_REQUEST.has(outcome.reason);
}

const stores = channelOf('ng-ssr:store');

/** Tells whoever listens of a page that was stored, or was not. */
function tellStore(
  path: string,
  { response, body }: Rendered,
  reason: Reason | undefined,
  freshSeconds: number | undefined,
): void {
  if (!stores.hasSubscribers) return;
  stores.publish({ path, status: response.status, reason, bytes: body.byteLength, freshSeconds });
}

/** What a render throws is ours: `renderWhole` sees to that. */
function toFailure(error: unknown): Outcome {
  return { kind: 'failed', error: error as SsrError };
}

/** A shared route's page has not seen the field. */
export function hasAuthorization({ asked, request }: Flight): boolean {
  return !asked.isShared && request.headers.has('authorization');
}

/** RFC 9111 section 5.2.1.5; other directives of requests would let anybody cause renders. */
function asksNotToStore(exchange: Exchange): boolean {
  return exchange.header('cache-control')?.toLowerCase().includes('no-store') === true;
}
