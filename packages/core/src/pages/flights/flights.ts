import { SsrError } from '../../errors.ts';
import type { Exchange } from '../../exchange.ts';
import { Demand } from '../../render/demand.ts';
import { toUnstored } from '../../render/cache-headers.ts';
import type { Rendered } from '../../render/render-whole.ts';
import type { Scheduler } from '../../render/scheduler.ts';
import { channelOf } from '../../telemetry/channels.ts';
import type { KeyMaker } from '../key/cache-key.ts';
import {
  type Flight,
  isFailure,
  isOfOneClientsCall,
  isRefreshFailure,
  type Outcome,
} from './flight.ts';
import { ageOf, CachedPage } from '../memory/cached-page.ts';
import { judgeRender } from '../policy/judge-render.ts';
import type { Reason } from '../policy/may-store.ts';
import type { StoredPage } from '../stored-page.ts';
import type { Wanted } from '../tier.ts';
import { useOf } from '../policy/use-of.ts';
import type { Share, TierPages, TierPagesContext } from './tier-pages.ts';
import { toStoredPage, variantHeaders } from './to-stored-page.ts';

/** The dependencies of {@link Flights}. */
export interface FlightContext extends TierPagesContext {
  readonly keys: KeyMaker;
  readonly tierPages: TierPages | undefined;
  readonly scheduler: Scheduler;
}

/** A flight that has not ended: a request that waits for it joins its demand. */
export interface InFlight {
  /** Never rejects. */
  readonly outcome: Promise<Outcome>;
  readonly demand: Demand;
  /** The latest purge when it began. */
  readonly purgesSeen: number;
  /** `performance.now()` */
  readonly startedAtMs: number;
}

/** A refresh that gets no render slot within this time is dropped and retried later. */
const REFRESH_WAIT_MS = 5000;
const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 60_000;
/** A page that varies by more headers would hardly ever be a hit. */
const MOST_VARIANT_HEADERS = 8;

/** Reasons that lie in the request or in a call, and say nothing about the page's next answer. */
const OF_THE_REQUEST: ReadonlySet<Reason> = new Set<Reason>([
  ...(['authorization', 'calls', 'call-loop', 'request-no-store'] as const),
]);

/** How long the tier marks a page as unshared, so that processes that wait for it see the mark. */
const UNSHARED_MS = 10_000;

/** Single flight: each page is rendered once for all requests that arrive for its key meanwhile. */
export class Flights {
  readonly #context: FlightContext;
  readonly #inFlight = new Map<string, InFlight>();
  /** The flights to wait for, by key. */
  readonly inFlight: ReadonlyMap<string, InFlight> = this.#inFlight;

  constructor(context: FlightContext) {
    this.#context = context;
  }

  /** Starts a flight that other requests may wait for. Never rejects. */
  start(flight: Flight, wanted: Wanted = 'usable'): Promise<Outcome> {
    const outcome = this.#launch(flight, this.#obtain(flight, wanted));
    // Others wait for it, also when this client has left.
    flight.exchange.waitUntil?.(outcome);
    return outcome;
  }

  /** Starts a flight for a single request: its page is stored if it may be. Never rejects. */
  startAlone(flight: Flight, wanted: Wanted = 'usable'): Promise<Outcome> {
    const hasCome = this.#context.memory.expect(flight.asked.routePath);
    const share = this.#context.tierPages?.toShare(flight.primaryKey);
    const rendered = this.#renderAndStore(flight, wanted !== 'usable', share);
    const outcome = rendered.catch(toFailure).finally(hasCome);
    flight.exchange.waitUntil?.(outcome);
    return outcome;
  }

  /**
   * Re-renders a page while the old one is served. The old one stays if that fails.
   *
   * @param exchange - Of the request that has found the page stale.
   */
  refresh(held: CachedPage, exchange: Exchange, toFlight: () => Flight): void {
    if (held.isRefreshing || performance.now() < held.retryAtMs) return;
    const demand = new Demand(performance.now() + REFRESH_WAIT_MS);
    // No page waits for a refresh.
    const flight = { ...toFlight(), terms: { mayQueue: true, demand }, chain: undefined };
    if (this.#inFlight.has(flight.key)) return;
    held.isRefreshing = true;
    this.#context.memory.noteRefresh(flight.key, held);
    const landed = this.#launch(flight, this.#obtain(flight, 'fresh')).then((outcome) => {
      held.isRefreshing = false;
      if (isRefreshFailure(outcome)) {
        this.backOff(held, outcome.kind === 'failed' ? outcome.error : undefined);
      }
      this.#context.memory.noteRefresh(flight.key, held);
    });
    exchange.waitUntil?.(landed);
  }

  /** Records a failed refresh, and delays the next one: longer after each failure. */
  backOff(held: CachedPage, cause: unknown): void {
    if (performance.now() < held.retryAtMs) return;
    const waitMs = Math.min(FIRST_RETRY_MS * 2 ** held.failedRefreshes++, LAST_RETRY_MS);
    held.retryAtMs = performance.now() + waitMs;
    // Overload is not reported for each page.
    if (cause instanceof SsrError && cause.code === 'NG_SSR_OVERLOADED') return;
    const message = `the cached page ${held.page.path} could not be re-rendered; retry in ${waitMs} ms`;
    this.#context.onError(new SsrError('NG_SSR_REFRESH_FAILED', message, { cause }));
  }

  /** Renders and reads the body; undefined if the engine returns null: the path is not the application's. */
  async render(flight: Flight): Promise<Rendered | undefined> {
    const { request, requestContext, asked, name, terms, chain, onCalls } = flight;
    const { scheduler, traits } = this.#context;
    const job = { request, requestContext, isShared: asked.isShared, name, chain, onCalls };
    const rendered = await scheduler.render(job, terms);
    if (rendered !== undefined) traits.check(rendered, name);
    return rendered;
  }

  /** Resolves when the tier has all pages that it is to have. */
  async sent(): Promise<void> {
    await this.#context.tierPages?.sent();
  }

  #launch({ key, asked, terms }: Flight, obtained: Promise<Outcome>): Promise<Outcome> {
    const hasCome = this.#context.memory.expect(asked.routePath);
    const outcome = obtained.catch(toFailure).finally(hasCome);
    const purgesSeen = this.#context.memory.purges.latest;
    const startedAtMs = performance.now();
    this.#inFlight.set(key, { outcome, demand: terms.demand, purgesSeen, startedAtMs });
    void outcome.then(() => this.#inFlight.delete(key));
    return outcome;
  }

  /** Takes the page from the tier, or renders it while other processes wait for the lease. */
  async #obtain(flight: Flight, wanted: Wanted): Promise<Outcome> {
    const { tierPages, memory, keys } = this.#context;
    const isRefresh = wanted !== 'usable';
    if (tierPages === undefined) return this.#renderAndStore(flight, isRefresh, undefined);
    const purgesSeen = memory.purges.latest;
    const { found, lease, isUnshared } = await tierPages.tier.obtain(
      flight.key,
      flight.asked.routePath,
      wanted,
      flight.terms.demand.deadlineAtMs,
      (names) => keys.variantKey(flight.key, names, flight.exchange),
      (page, key) => this.#birthOf(page, key),
    );
    const { key, asked } = flight;
    const held = found && tierPages.take(found, key, asked.query, purgesSeen);
    if (held !== undefined) return { kind: 'stored', key: found!.key, held, isRendered: false };
    if (isUnshared === true && !isRefresh) {
      memory.markUnshared(flight.key);
      return { kind: 'apart' };
    }
    let storing: Promise<void> | undefined;
    let unsharedMs: number | undefined;
    const share = tierPages.toShare(flight.primaryKey);
    try {
      const outcome = await this.#renderAndStore(
        flight,
        isRefresh,
        share && ((...page) => (storing = share(...page))),
      );
      if (isForOneReader(outcome)) unsharedMs = UNSHARED_MS;
      return outcome;
    } finally {
      // The next process that gets the lease must find the page.
      void Promise.resolve(storing).then(() => lease?.release(unsharedMs));
    }
  }

  /** A page already received from the tier keeps its earlier time, whatever its writer's clock says. */
  #birthOf(page: StoredPage, key: string): number {
    const bornAtMs = performance.now() - ageOf(page);
    const earlier = this.#context.memory.get(key);
    const isSame = earlier instanceof CachedPage && earlier.page.dateMs === page.dateMs;
    return isSame ? Math.min(bornAtMs, earlier.bornAtMs) : bornAtMs;
  }

  async #renderAndStore(
    flight: Flight,
    isRefresh: boolean,
    share: Share | undefined,
  ): Promise<Outcome> {
    const { memory, keys, traits, encodings } = this.#context;
    const { isEncoded } = encodings;
    const { key, primaryKey, asked, exchange } = flight;
    const purgesSeen = memory.purges.latest;
    const rendered = await this.render(flight);
    if (rendered === undefined) {
      this.#forget(key, true);
      return { kind: 'declined' };
    }

    const nowMs = Date.now();
    const { response } = rendered;
    const unshared = (reason: Reason, sent = rendered): Outcome => {
      const outcome: Outcome = { kind: 'unshared', rendered: sent, reason };
      if (isForOneReader(outcome) && !(isRefresh && isRefreshFailure(outcome))) {
        this.#forget(key, isRefresh || asked.isShared || !isOfOneClient(flight, response.status));
      }
      if (stores.hasSubscribers) publishStore(asked.path, rendered, reason, undefined);
      return outcome;
    };
    const lifetime = judgeRender(rendered, asked.rule, nowMs, {
      hasAuthorization: hasAuthorization(flight),
      // A refresh is this server's own request.
      asksNotToStore: !isRefresh && flight.asksNotToStore,
    });
    if (typeof lifetime === 'string') return unshared(lifetime);
    const refused = traits.refuse(rendered);
    // Of a foreign nonce the page itself says which caches may have it.
    if (refused === 'nonce') return unshared(refused);
    if (refused !== undefined) return unshared(refused, toUnstored(rendered));
    const vary = variantHeaders(response, asked);
    if (vary.length > MOST_VARIANT_HEADERS) return unshared('vary-too-many');

    const body = memory.hold(rendered.body) as Uint8Array<ArrayBuffer>;
    const page = toStoredPage({ ...rendered, body }, asked, lifetime, nowMs);
    const held = CachedPage.take(page, { traits, query: asked.query, isEncoded, purgesSeen });
    const pageKey = vary.length === 0 ? primaryKey : keys.variantKey(primaryKey, vary, exchange);
    const earlier = memory.get(pageKey);
    if (earlier instanceof CachedPage) held.adopt(earlier);
    if (!memory.set(pageKey, held)) return unshared('too-large');
    if (vary.length > 0) memory.set(primaryKey, { vary });
    const shared = share?.(pageKey, held, vary);
    if (stores.hasSubscribers) publishStore(asked.path, rendered, undefined, page.freshSeconds);
    return { kind: 'stored', key: pageKey, held, isRendered: true, shared };
  }

  /**
   * Drops the stored page: its newest render must not be stored.
   *
   * @param isOfAll - Whether the page itself is the reason. If the client may be, a page that may still
   * be used is kept, and a refresh decides.
   */
  #forget(key: string, isOfAll: boolean): void {
    const { memory, tierPages } = this.#context;
    memory.markUnshared(key);
    const held = memory.get(key);
    if (!(held instanceof CachedPage)) return;
    if (!isOfAll && useOf(held, performance.now()) !== 'expired') return;
    memory.delete(key);
    tierPages?.delete(key);
  }
}

/** Whether an answer may be due to the client or its request: it then says little about the page. */
function isOfOneClient({ request }: Flight, status: number): boolean {
  const isRefused = status >= 400 && status !== 404 && status !== 410;
  return isRefused || request.headers.has('cookie') || request.headers.has('authorization');
}

/** Whether the page's next answer will probably not be storable either. */
function isForOneReader(outcome: Outcome): boolean {
  if (outcome.kind !== 'unshared') return outcome.kind === 'declined';
  if (isFailure(outcome)) return false;
  return !OF_THE_REQUEST.has(outcome.reason) || isOfOneClientsCall(outcome);
}

const stores = channelOf('ng-ssr:store');

/** Publishes that a page was stored, or why it was not. */
function publishStore(
  path: string,
  { response, body }: Rendered,
  reason: Reason | undefined,
  freshSeconds: number | undefined,
): void {
  stores.publish({ path, status: response.status, reason, bytes: body.byteLength, freshSeconds });
}

/** `renderWhole` turns every error of a render into an SsrError. */
function toFailure(error: unknown): Outcome {
  return { kind: 'failed', error: error as SsrError };
}

/** Whether the engine saw Authorization. It sees none for a shared route, except as part of the key. */
export function hasAuthorization({ asked, request }: Flight): boolean {
  return !asked.isShared && request.headers.has('authorization');
}
