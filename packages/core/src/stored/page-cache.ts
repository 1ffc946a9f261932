import type { RenderEngine } from '../engine.ts';
import { SsrError } from '../errors.ts';
import type { Answer, Exchange } from '../exchange.ts';
import type { ProxyHeaderPredicate } from '../host/proxy-headers.ts';
import { type Resource, select } from '../http/select.ts';
import type { ResolvedOptions } from '../options.ts';
import { refuse } from '../refusal.ts';
import { renderWhole, type Rendered } from '../render/render-whole.ts';
import { toAnswer } from '../render/to-answer.ts';
import { toRequest } from '../render/to-request.ts';
import { toSharedRequest } from '../render/to-shared-request.ts';
import { normalisePath } from '../target/normalise-path.ts';
import { toBuildId } from './build-id.ts';
import { type AskedPage, TargetReader } from './asked-page.ts';
import { KeyMaker } from './cache-key.ts';
import { HeldPage } from './held-page.ts';
import { LanguageMatcher } from './languages.ts';
import { mayStore, type Reason } from './may-store.ts';
import { PageCodings } from './page-codings.ts';
import { PageMemory } from './page-memory.ts';
import { hasNonce, type NonceFiller } from './nonce.ts';
import type { Purge, StoredPage } from './page-store.ts';
import { checkPurge } from './check-purge.ts';
import type { ResolvedCacheOptions } from './resolve-cache-options.ts';
import { RouteRules } from './route-rules.ts';
import { SharedPages } from './shared-pages.ts';
import {
  inspect,
  type InspectOptions,
  type StoredPages,
  type StoredPagesReport,
} from './stored-pages.ts';
import { toStoredPage, variantFields } from './to-stored-page.ts';
import { useOf } from './use-of.ts';

/** What a flight brings for everybody who waits for it. */
type Outcome =
  /** The page is in memory now. */
  | { readonly kind: 'stored'; readonly held: HeldPage; readonly isRendered: boolean }
  /** It is for the one who led the flight. */
  | { readonly kind: 'unshared'; readonly rendered: Rendered; readonly reason: Reason }
  /** The path is not the application's. */
  | { readonly kind: 'declined' }
  | { readonly kind: 'failed'; readonly error: SsrError };

/** One page to be rendered: all of the request that its render will need. */
interface Flight {
  readonly key: string;
  readonly asked: AskedPage;
  readonly exchange: Exchange;
  readonly request: Request;
  readonly requestContext: unknown;
  /** Whether the page that is there is not good enough. */
  readonly isRefresh: boolean;
}

/** Enough for any crowd; more would only be memory. */
const MOST_WAITERS = 10_000;
const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 60_000;
/** A page that varies by more than these varies by everything. */
const MOST_VARIANT_FIELDS = 8;

/** Stored pages: steps 2 to 7 of the request path for what is rendered. */
export class PageCache implements StoredPages {
  readonly #options: ResolvedOptions;
  readonly #isTrusted: ProxyHeaderPredicate;
  readonly #engine: () => RenderEngine;
  readonly #targets: TargetReader;
  readonly #keys: KeyMaker;
  readonly #memory: PageMemory;
  readonly #codings: PageCodings;
  readonly #shared: SharedPages | undefined;
  readonly #placeholder: string | undefined;
  readonly #nonce: NonceFiller | undefined;
  readonly #flights = new Map<string, Promise<Outcome>>();
  #waiters = 0;

  constructor(
    options: ResolvedOptions,
    cache: ResolvedCacheOptions,
    isTrusted: ProxyHeaderPredicate,
    engine: () => RenderEngine,
    nonce: NonceFiller | undefined,
  ) {
    const { routeRules, codings, onError } = options;
    this.#options = options;
    this.#isTrusted = isTrusted;
    this.#engine = engine;
    this.#nonce = nonce;
    this.#targets = new TargetReader(new RouteRules(routeRules), cache.ignoredQuery);
    this.#keys = new KeyMaker(cache.languages && new LanguageMatcher(cache.languages));
    this.#memory = new PageMemory(cache.maxBytes);
    this.#codings = new PageCodings(this.#memory, codings, onError);
    this.#placeholder = cache.nonce?.placeholder;
    this.#shared =
      cache.store &&
      new SharedPages(cache.store, {
        buildId: cache.buildId ?? toBuildId(options.browserFolder),
        onError,
        onPurge: (purge) => this.#memory.purge(purge),
      });
  }

  /** The stored page for a request, when no more is to be done than to answer with it. Synchronous. */
  find(exchange: Exchange, origin: string): Answer | undefined {
    const asked = this.#targets.read(exchange.target);
    const { key, held } = this.#lookUp(asked, origin, exchange);
    if (held === undefined) return undefined;
    const nowMs = Date.now();
    if (nowMs >= held.staleAtMs) {
      // A refresh needs what the adapter gives to a render: whoever starts it comes that way.
      const isAttended = held.isRefreshing || nowMs < held.retryAtMs;
      if (!isAttended || !this.#isUsable(held, nowMs)) return undefined;
    }
    this.#codings.count(key, held);
    return this.#select(held.at(nowMs), exchange);
  }

  /**
   * Answers from the store, or renders: once for all who ask for the same page meanwhile.
   *
   * @returns undefined when the engine says that the path is not the application's.
   * @throws SsrError `NG_SSR_RENDER_FAILED`, `NG_SSR_BODY_FAILED`
   */
  async answer(
    exchange: Exchange,
    origin: string,
    requestContext: unknown,
  ): Promise<Answer | undefined> {
    const asked = this.#targets.read(exchange.target);
    const start = (key: string): Flight => ({
      key,
      asked,
      exchange,
      isRefresh: false,
      ...this.#toEngineRequest(exchange, origin, asked, requestContext),
    });
    if (asked.rule?.store === false || exchange.status !== 200) {
      return this.#renderAlone(start(''), 'fwd=bypass');
    }

    let failure: SsrError | undefined;
    for (let turn = 0; ; turn++) {
      const nowMs = Date.now();
      const { key, held, isVariant } = this.#lookUp(asked, origin, exchange);
      const use = held === undefined ? 'expired' : useOf(held, nowMs);
      if (held !== undefined && (use === 'fresh' || use === 'stale')) {
        if (use === 'stale') this.#refresh(held, () => start(key));
        return this.#select(
          held.at(nowMs, turn === 0 ? undefined : 'fwd=uri-miss; collapsed'),
          exchange,
        );
      }
      if (held !== undefined && use === 'if-error' && nowMs < held.retryAtMs) {
        return this.#select(held.at(nowMs), exchange);
      }
      if (this.#memory.isUnshared(key) || turn > 2) {
        return this.#renderAlone(start(key), 'fwd=uri-miss');
      }

      const flying = this.#flights.get(key);
      if (flying !== undefined) {
        if (this.#waiters >= MOST_WAITERS) return refuse('NG_SSR_OVERLOADED', exchange.method);
        this.#waiters++;
        const outcome = await flying;
        this.#waiters--;
        if (outcome.kind !== 'failed') continue;
        // Whose request led may be the reason: one of those who waited leads once more.
        if (failure === undefined) {
          failure = outcome.error;
          continue;
        }
        return this.#answerFailure(held, outcome.error, exchange);
      }

      const forward = held !== undefined ? 'stale' : isVariant ? 'vary-miss' : 'uri-miss';
      const outcome = await this.#fly(start(key));
      switch (outcome.kind) {
        case 'stored': {
          const status = outcome.isRendered ? `fwd=${forward}; stored` : undefined;
          return this.#select(outcome.held.at(Date.now(), status), exchange);
        }
        case 'unshared': {
          const { rendered, reason } = outcome;
          if (held !== undefined && use === 'if-error' && rendered.response.status >= 500) {
            return this.#answerStale(held, exchange);
          }
          const { response, body } = rendered;
          return toAnswer(response, body, exchange, `fwd=${forward}; detail=${reason}`);
        }
        case 'declined':
          return undefined;
        case 'failed':
          return this.#answerFailure(held, outcome.error, exchange);
      }
    }
  }

  /** Query parameters that pages do not see, for redirects to keep. */
  ignoredQuery(exchange: Exchange): string {
    return this.#targets.read(exchange.target).ignored;
  }

  async purge(purge: Purge): Promise<void> {
    checkPurge(purge);
    const { path, prefix, tag, hard = false } = purge;
    // Escapes are normalised as they are in keys.
    const normalised =
      path !== undefined
        ? { path: normalisePath(path), hard }
        : prefix !== undefined
          ? { prefix: normalisePath(prefix), hard }
          : { tag, hard };
    this.#memory.purge(normalised);
    await this.#shared?.purge(normalised);
  }

  inspect(options?: InspectOptions): StoredPagesReport {
    return inspect(this.#memory, options);
  }

  /** Resolves when the shared store has ended its connections. */
  async close(): Promise<void> {
    this.#codings.stop();
    await this.#shared?.close();
  }

  #lookUp(
    asked: AskedPage,
    origin: string,
    exchange: Exchange,
  ): { key: string; held: HeldPage | undefined; isVariant: boolean } {
    const key = this.#keys.primaryKey(asked, this.#originOf(origin, exchange), exchange);
    const entry = this.#memory.get(key);
    if (entry === undefined || entry instanceof HeldPage) {
      return { key, held: entry, isVariant: false };
    }
    const variantKey = this.#keys.variantKey(key, entry.vary, exchange);
    const variant = this.#memory.get(variantKey);
    const held = variant instanceof HeldPage ? variant : undefined;
    return { key: variantKey, held, isVariant: true };
  }

  /** Angular puts a trusted prefix into the addresses of redirects. */
  #originOf(origin: string, exchange: Exchange): string {
    if (!this.#isTrusted('x-forwarded-prefix')) return origin;
    const prefix = exchange.header('x-forwarded-prefix');
    return prefix === undefined ? origin : `${origin} ${prefix}`;
  }

  #isUsable(held: HeldPage, nowMs: number): boolean {
    const use = useOf(held, nowMs);
    return use === 'stale' || (use === 'if-error' && nowMs < held.retryAtMs);
  }

  #toEngineRequest(
    exchange: Exchange,
    origin: string,
    asked: AskedPage,
    requestContext: unknown,
  ): { request: Request; requestContext: unknown } {
    if (asked.isShared) {
      const { errorDetails } = this.#options;
      const request = toSharedRequest(exchange, origin, asked, this.#keys, errorDetails);
      return { request, requestContext: null };
    }
    const url = origin + asked.path + asked.query;
    const language = this.#keys.languageOf(exchange);
    return { request: toRequest(exchange, url, this.#isTrusted, language), requestContext };
  }

  /** A render whose answer is for one request alone. */
  async #renderAlone(flight: Flight, status: string): Promise<Answer | undefined> {
    const rendered = await this.#render(flight);
    if (rendered === undefined) return undefined;
    const { response, body } = rendered;
    const { exchange, asked } = flight;
    const verdict = mayStore(response, asked.rule, hasAuthorization(flight), Date.now());
    const detail = typeof verdict === 'string' ? `; detail=${verdict}` : '';
    return toAnswer(response, body, exchange, status + detail);
  }

  #render({ request, requestContext, exchange }: Flight): Promise<Rendered | undefined> {
    const name = `${exchange.method} ${exchange.target}`;
    return renderWhole(this.#engine(), request, requestContext, name);
  }

  /** Single flight: whoever asks for the same key until it lands waits for it. Never rejects. */
  #fly(flight: Flight): Promise<Outcome> {
    const outcome = this.#obtain(flight).catch((error: unknown): Outcome => ({
      kind: 'failed',
      error: error as SsrError,
    }));
    this.#flights.set(flight.key, outcome);
    void outcome.then(() => this.#flights.delete(flight.key));
    return outcome;
  }

  /** From the shared store, or rendered by this process while others wait for its lease. */
  async #obtain(flight: Flight): Promise<Outcome> {
    const shared = this.#shared;
    if (shared === undefined) return this.#renderAndStore(flight);
    const { key, exchange, isRefresh } = flight;
    const purgesSeen = this.#memory.purges.latest;
    const { found, lease } = await shared.obtain(key, isRefresh, (names) =>
      this.#keys.variantKey(key, names, exchange),
    );
    if (found !== undefined) {
      const held = new HeldPage(found.page, purgesSeen, this.#options.codings.length > 0);
      if (found.isPurged) held.staleAtMs = Math.min(held.staleAtMs, Date.now());
      if (found.variants !== undefined) this.#memory.set(key, found.variants);
      this.#memory.set(found.key, held);
      return { kind: 'stored', held, isRendered: false };
    }
    const version = shared.version();
    let storing: Promise<void> | undefined;
    try {
      return await this.#renderAndStore(flight, (pageKey, page, vary) => {
        storing = shared.set(this.#keys.primaryOf(key), pageKey, page, vary, version);
      });
    } finally {
      // Whoever gets the lease next must find the page.
      void Promise.resolve(storing).then(() => lease?.release());
    }
  }

  async #renderAndStore(
    flight: Flight,
    share?: (pageKey: string, page: StoredPage, vary: readonly string[]) => void,
  ): Promise<Outcome> {
    const { key, asked, exchange, request } = flight;
    const purgesSeen = this.#memory.purges.latest;
    const rendered = await this.#render(flight);
    if (rendered === undefined) {
      this.#memory.markUnshared(key);
      return { kind: 'declined' };
    }

    const nowMs = Date.now();
    const { response, body } = rendered;
    const unshared = (reason: Reason): Outcome => {
      if (response.status < 500) this.#memory.markUnshared(key);
      return { kind: 'unshared', rendered, reason };
    };
    const lifetime = mayStore(response, asked.rule, hasAuthorization(flight), nowMs);
    if (typeof lifetime === 'string') return unshared(lifetime);
    if (asksNotToStore(request)) return { kind: 'unshared', rendered, reason: 'no-store' };
    if (hasNonce(body, this.#placeholder)) return unshared('nonce');
    const vary = variantFields(response, asked);
    if (vary.length > MOST_VARIANT_FIELDS) return unshared('vary-star');

    const page = toStoredPage(rendered, asked, lifetime, nowMs);
    const held = new HeldPage(page, purgesSeen, this.#options.codings.length > 0);
    const primary = this.#keys.primaryOf(key);
    const pageKey = vary.length === 0 ? primary : this.#keys.variantKey(primary, vary, exchange);
    const earlier = this.#memory.get(pageKey);
    if (earlier instanceof HeldPage) held.adopt(earlier);
    if (!this.#memory.set(pageKey, held)) return unshared('too-large');
    if (vary.length > 0) this.#memory.set(primary, { vary });
    share?.(pageKey, page, vary);
    return { kind: 'stored', held, isRendered: true };
  }

  /** Renders a page anew behind answers with the old one, which stays when that fails. */
  #refresh(held: HeldPage, start: () => Flight): void {
    if (held.isRefreshing || Date.now() < held.retryAtMs) return;
    const flight = { ...start(), isRefresh: true };
    if (this.#flights.has(flight.key)) return;
    held.isRefreshing = true;
    void this.#fly(flight).then((outcome) => {
      held.isRefreshing = false;
      const isFailed =
        outcome.kind === 'failed' ||
        (outcome.kind === 'unshared' && outcome.rendered.response.status >= 500);
      if (isFailed) {
        this.#backOff(held, outcome.kind === 'failed' ? outcome.error : undefined);
      } else if (outcome.kind !== 'stored') {
        // Its own latest word is that it must not be stored.
        this.#memory.delete(flight.key);
        void this.#shared?.delete(flight.key);
      }
    });
  }

  #backOff(held: HeldPage, cause: unknown): void {
    const waitMs = Math.min(FIRST_RETRY_MS * 2 ** held.failedRefreshes++, LAST_RETRY_MS);
    held.retryAtMs = Date.now() + waitMs;
    const message = `${held.page.path} could not be rendered anew: tried again after ${waitMs} ms`;
    this.#options.onError(new SsrError('NG_SSR_REFRESH_FAILED', message, { cause }));
  }

  #select(resource: Resource, exchange: Exchange): Answer {
    const { full } = resource.identity;
    return this.#nonce?.isIn(full) === true
      ? this.#nonce.fill(full, exchange)
      : select(resource, exchange);
  }

  #answerFailure(held: HeldPage | undefined, error: SsrError, exchange: Exchange): Answer {
    if (held === undefined || useOf(held, Date.now()) === 'expired') throw error;
    if (Date.now() >= held.retryAtMs) this.#backOff(held, error);
    return this.#answerStale(held, exchange);
  }

  #answerStale(held: HeldPage, exchange: Exchange): Answer {
    return this.#select(held.at(Date.now()), exchange);
  }
}

/** A shared route's page has not seen the field. */
function hasAuthorization({ asked, request }: Flight): boolean {
  return !asked.isShared && request.headers.has('authorization');
}

/** RFC 9111 section 5.2.1.5; other directives of requests would let anybody cause renders. */
function asksNotToStore(request: Request): boolean {
  return request.headers.get('cache-control')?.toLowerCase().includes('no-store') === true;
}
