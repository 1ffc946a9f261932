import { refuse } from '../answers/refusal.ts';
import { select } from '../answers/select.ts';
import type { SsrError } from '../errors.ts';
import type { Answer } from '../exchange.ts';
import { notePage, noteUnstored } from '../render/call-chain.ts';
import { toDemand } from '../render/demand.ts';
import type { Rendered } from '../render/render-whole.ts';
import { EngineRequests } from './flights/engine-request.ts';
import {
  type Flight,
  isFailure,
  isOfCalls,
  isRefreshFailure,
  type Outcome,
} from './flights/flight.ts';
import { Flights, hasAuthorization } from './flights/flights.ts';
import { toRefreshExchange } from './flights/to-refresh-exchange.ts';
import { withoutPersonal } from './flights/without-personal.ts';
import { KeyMaker } from './key/cache-key.ts';
import { LanguageMatcher } from './key/languages.ts';
import { CachedPage } from './memory/cached-page.ts';
import { PageEncodings } from './memory/page-encodings.ts';
import { type MemoryObserver, MemoryStore } from './memory/memory-store.ts';
import { mayStore } from './policy/may-store.ts';
import {
  type InPlaceOfRender,
  inPlaceOfRender,
  isReady,
  type Use,
  useOf,
} from './policy/use-of.ts';
import type { PageCacheParts } from './page-cache-parts.ts';
import type { CopiedPages, Look, PageRequest, Pages } from './pages.ts';
import { publicPaths } from './public-paths.ts';
import type { PurgePages } from './purge-reach.ts';
import { type PurgeObserver, Purges } from './purges.ts';
import { type Refresh, refreshPages, type RefreshReport, type Renewal } from './refreshes.ts';
import { inspect, type InspectOptions, type StoredPagesReport } from './stored-pages.ts';
import type { Hit, ParsedRequest } from './parsed-request.ts';
import type { Tier } from './tier.ts';
import { isShared } from './is-shared.ts';

/** The state of a page in memory, for one request. */
interface Found {
  readonly key: string;
  /** The key without the values of one variant. */
  readonly primaryKey: string;
  readonly held: CachedPage | undefined;
  readonly use: Use;
  /** Whether the page varies by request headers. */
  readonly isVariant: boolean;
}

/** Bounds the memory of requests that wait for another request's render. */
const MOST_WAITERS = 10_000;
/** After this many waits without a page a request renders for itself. */
const MOST_TURNS = 3;

/** Stored pages: steps 2 to 7 of the request path for rendered pages. */
export class PageCache implements Pages {
  readonly #parts: PageCacheParts;
  readonly #keys: KeyMaker;
  readonly #memory: MemoryStore;
  readonly #encodings: PageEncodings;
  readonly #tier: Tier | undefined;
  readonly #purges: Purges;
  readonly #requests: EngineRequests;
  readonly #flights: Flights;
  readonly purge: PurgePages;
  #waiters = 0;

  constructor(parts: PageCacheParts) {
    const { cache, encoder, render, isTrusted, rules, report, scheduler, traits } = parts;
    this.#parts = parts;
    const languages = cache.languages && new LanguageMatcher(cache.languages);
    this.#keys = new KeyMaker(languages, isTrusted);
    this.#memory = new MemoryStore(cache.maxBytes);
    this.#encodings = new PageEncodings(this.#memory, encoder, cache.encodings, render.encodings);
    this.#purges = new Purges(rules, this.#memory, () => this.#tier, parts.downstream);
    this.purge = this.#purges.purge;
    const context = {
      ...{ Held: CachedPage, memory: this.#memory, encodings: this.#encodings },
      ...{ traits, onError: report },
    };
    const tierPages = parts.openTier?.((purge) => this.#purges.purgeMemory(purge, true), context);
    this.#tier = tierPages?.tier;
    this.#requests = new EngineRequests(this.#keys, languages, isTrusted, parts.errorDetails);
    this.#flights = new Flights({ ...context, keys: this.#keys, tierPages, scheduler });
  }

  find(parsed: ParsedRequest): Answer | undefined {
    const { key, held } = this.#lookUp(parsed);
    if (held === undefined) return undefined;
    const nowMs = performance.now();
    // A refresh needs the request context, which the adapter passes only to `render`.
    if (!isReady(held, nowMs)) return undefined;
    if (held.marks.wanted !== undefined) this.#encodings.makeWanted(parsed.exchange, key, held);
    if (this.#awaitsEncoding(held, parsed)) return undefined;
    notePage(held.page.tags, held.staleAtMs);
    parsed.hit = { key, held };
    return select(held.at(nowMs), parsed.exchange);
  }

  countHit({ key, held }: Hit): void {
    this.#encodings.count(key, held);
  }

  /** Renders a page once for all requests that arrive for it meanwhile. */
  async answer(ask: PageRequest): Promise<Answer | undefined> {
    const { parsed, page, waiter, isBackground } = ask;
    const { method } = parsed;
    if (page.rule?.cache === false || ask.earlierStatus !== 200) {
      ask.onMiss?.();
      return this.#renderOnly(ask);
    }
    if (parsed.renewal !== undefined) return this.#renew(ask, parsed.renewal);
    let failure: SsrError | undefined;
    for (let turn = 0; ; turn++) {
      const found = this.#find(parsed);
      const held = this.#answerFromMemory(found, ask, turn);
      if (held !== undefined) return held;
      if (turn === 0) ask.onMiss?.();

      // A page that another page waits for must not wait for a render that may wait for that page.
      const isAlone =
        turn >= MOST_TURNS || ask.chain !== undefined || this.#memory.isUnshared(found.key);
      const inFlight = isAlone ? undefined : this.#flights.inFlight.get(found.key);
      if (inFlight === undefined) {
        const answer = await this.#lead(found, ask, isAlone);
        if (answer === 'apart') continue;
        return answer;
      }
      if (!isBackground) inFlight.demand.add(waiter);
      if (this.#waiters >= MOST_WAITERS) return refuse('NG_SSR_OVERLOADED', method);
      const isCurrent = inFlight.purgesSeen === this.#memory.purges.latest;
      this.#waiters++;
      const outcome = await inFlight.outcome;
      this.#waiters--;
      const isForAll = isFailure(outcome) || (isCurrent && isOfCalls(outcome));
      if (page.isShared && outcome.kind === 'unshared' && isForAll) {
        // The engine saw nothing specific to the leader's request: every waiting request may have the answer.
        const { rendered } = outcome;
        const detail = `fwd=uri-miss; collapsed; detail=${outcome.reason}`;
        const response = withoutPersonal(rendered.response);
        return this.#answerRendered({ ...rendered, response }, detail, ask);
      }
      if (outcome.kind !== 'failed') continue;
      if (failure !== undefined) return this.#answerFailure(found.held, outcome.error, parsed);
      // The leader's request may be the cause: one of the waiting requests leads a second render.
      failure = outcome.error;
    }
  }

  findStale(parsed: ParsedRequest): Answer | undefined {
    const { held, use } = this.#find(parsed);
    if (held === undefined || use === 'expired') return undefined;
    return send(held, parsed);
  }

  look(parsed: ParsedRequest, fallbacks: PageRequest['fallbacks']): Look {
    const found = this.#find(parsed, false);
    const { key, held, use, isVariant } = found;
    const nowMs = performance.now();
    const isAtOnce =
      held !== undefined && isReady(held, nowMs) && !this.#awaitsEncoding(held, parsed);
    return {
      ...{ key, held, use, isVariant, isAtOnce },
      inPlaceOfRender: this.#inPlaceOfRender(found, parsed, fallbacks, nowMs),
      isInFlight: this.#flights.inFlight.has(key),
      isUnshared: this.#memory.isUnshared(key),
      hasTier: this.#tier !== undefined,
    };
  }

  refresh(refresh: Refresh): Promise<RefreshReport> {
    return refreshPages(refresh, { ...this.#parts, memory: this.#memory });
  }

  /** As {@link Purges.invalidate}. */
  invalidate(target: string): void {
    this.#purges.invalidate(target);
  }

  observePurges(observer: PurgeObserver): Tier | undefined {
    this.#purges.observe(observer);
    return this.#tier;
  }

  publicPaths(origin: string): Iterable<string> {
    return publicPaths(this.#memory, origin);
  }

  inspect({ prefix = '', limit }: InspectOptions = {}): StoredPagesReport {
    const routePrefix = prefix && this.#parts.rules.readPrefix(prefix);
    return inspect(this.#memory, { prefix: routePrefix, limit });
  }

  held(): Iterable<readonly [key: string, held: CachedPage]> {
    return this.#memory.pages();
  }

  share(observer: MemoryObserver): CopiedPages {
    this.#memory.observe(observer);
    return {
      entries: () => this.#memory.entries(),
      countHits: (key, hits) => {
        const held = this.#memory.get(key);
        if (held instanceof CachedPage) this.#encodings.count(key, held, hits, true);
      },
    };
  }

  isShared(parsed: ParsedRequest): Promise<boolean> {
    return isShared(this.#tier, this.#keys, parsed);
  }

  /** Resolves when the tier has closed its connections. */
  async close(): Promise<void> {
    this.#encodings.stop();
    await this.#flights.sent();
    await this.#tier?.close();
  }

  /** Whether the answer waits for an encoding. */
  #awaitsEncoding(held: CachedPage, { exchange }: ParsedRequest): boolean {
    return held.marks.awaitsEncoding && this.#encodings.lackingFor(exchange, held) !== undefined;
  }

  /** @param isUse - Whether the page counts as used, so that it is dropped later than others. */
  #lookUp(parsed: ParsedRequest, isUse = true): Omit<Found, 'use'> {
    const memory = this.#memory;
    const primaryKey = this.#keys.primaryKey(parsed);
    const entry = isUse ? memory.get(primaryKey) : memory.look(primaryKey);
    if (entry === undefined || entry instanceof CachedPage) {
      return { key: primaryKey, primaryKey, held: entry, isVariant: false };
    }
    const key = this.#keys.variantKey(primaryKey, entry.vary, parsed.exchange);
    const variant = isUse ? memory.get(key) : memory.look(key);
    const held = variant instanceof CachedPage ? variant : undefined;
    return { key, primaryKey, held, isVariant: true };
  }

  #find(parsed: ParsedRequest, isUse = true): Found {
    const found = this.#lookUp(parsed, isUse);
    const use = found.held === undefined ? 'expired' : useOf(found.held, performance.now());
    return { ...found, use };
  }

  /** Answers with what memory has, or without a page, if the request is to cause no render. */
  #answerFromMemory(found: Found, ask: PageRequest, turn: number): Promise<Answer> | undefined {
    const { key, held } = found;
    const nowMs = performance.now();
    const way = this.#inPlaceOfRender(found, ask.parsed, ask.fallbacks, nowMs);
    if (way === 'refuse-bot')
      return Promise.resolve(refuse('NG_SSR_OVERLOADED', ask.parsed.method));
    if (way === undefined || held === undefined) return undefined;
    if (way === 'page-past-its-time') return Promise.resolve(send(held, ask.parsed, nowMs));
    if (way === 'page-while-refreshed') this.#refresh(found, held, ask);
    // `find` could have answered with the page if the request did not wait for its encoding.
    else if (turn === 0) this.#encodings.count(key, held);
    const status = turn === 0 ? undefined : 'fwd=uri-miss; collapsed';
    return this.#selectEncoded(key, held, status, ask);
  }

  #inPlaceOfRender(
    { held, use }: Found,
    { exchange }: ParsedRequest,
    fallbacks: PageRequest['fallbacks'],
    nowMs: number,
  ): InPlaceOfRender | undefined {
    const { render, scheduler } = this.#parts;
    return inPlaceOfRender(held, use, {
      nowMs,
      fallbacks,
      isSaturated: scheduler.isSaturated,
      bots: render.bots,
      exchange,
    });
  }

  /** Renders for this request and, unless `isAlone`, for those that wait for the same page. */
  async #lead(
    found: Found,
    ask: PageRequest,
    isAlone: boolean,
  ): Promise<Answer | 'apart' | undefined> {
    const { key, held, use, isVariant } = found;
    const { parsed, waiter, isBackground } = ask;
    // A request whose client has disconnected must not lead: its flight would fail for all that wait for it.
    if (waiter.hasLeft && !isBackground) return refuse('NG_SSR_OVERLOADED', parsed.method);
    const flight = this.#toFlight(found, parsed, ask);
    const outcome = await this.#flights[isAlone ? 'startAlone' : 'start'](flight);
    const forward = held !== undefined ? 'stale' : isVariant ? 'vary-miss' : 'uri-miss';
    switch (outcome.kind) {
      case 'stored': {
        const { key, held, isRendered, shared } = outcome;
        // `ng-ssr render` looks whether the store has the page.
        if (isBackground) await shared;
        // The next visitor may get another process, or find the page dropped from memory.
        if (!isRendered && !isBackground && useOf(held, performance.now()) === 'stale')
          this.#refresh({ ...found, key }, held, ask);
        const status = isRendered ? `fwd=${forward}; stored` : undefined;
        return this.#selectEncoded(key, held, status, ask);
      }
      case 'unshared': {
        if (held !== undefined && use === 'if-error' && isFailure(outcome)) {
          this.#flights.backOff(held, undefined);
          return send(held, parsed);
        }
        // An answer for one client says little about the page for all others: a refresh decides.
        if (held !== undefined && this.#memory.holds(key, held)) this.#refresh(found, held, ask);
        const status = `fwd=${forward}; detail=${outcome.reason}`;
        return this.#answerRendered(outcome.rendered, status, ask);
      }
      case 'apart':
        return 'apart';
      case 'declined':
        return undefined;
      case 'failed':
        return this.#answerFailure(held, outcome.error, parsed);
    }
  }

  /** Renders a page that may be fresh. Requests get the stored page until the new one replaces it. */
  async #renew(ask: PageRequest, renewal: Renewal): Promise<Answer | undefined> {
    // Until the outcome is known: the request may be answered with the old page.
    renewal.result = 'failed';
    for (let turn = 0; ; turn++) {
      const found = this.#find(ask.parsed, false);
      const inFlight = this.#flights.inFlight.get(found.key);
      const isAlone = turn >= MOST_TURNS;
      let outcome: Outcome;
      if (inFlight === undefined || isAlone) {
        const flight = this.#toFlight(found, ask.parsed, ask);
        outcome = await this.#flights[isAlone ? 'startAlone' : 'start'](flight, 'new');
      } else {
        outcome = await inFlight.outcome;
        const isRendered = outcome.kind === 'stored' && outcome.isRendered;
        if (!isRendered || inFlight.startedAtMs <= renewal.sinceMs) continue;
      }
      if (outcome.kind === 'failed') throw outcome.error;
      if (outcome.kind === 'stored') {
        const { key, held, shared } = outcome;
        await shared;
        // A page that was purged hard during its render is not used.
        renewal.result = this.#memory.purges.apply(held) ? 'refreshed' : 'notStored';
        return this.#selectEncoded(key, held, 'fwd=request; stored', ask);
      }
      if (!isRefreshFailure(outcome)) renewal.result = 'notStored';
      if (outcome.kind !== 'unshared') return undefined;
      return this.#answerRendered(outcome.rendered, `fwd=request; detail=${outcome.reason}`, ask);
    }
  }

  #refresh(found: Found, held: CachedPage, ask: PageRequest): void {
    const { parsed, page } = ask;
    this.#flights.refresh(held, parsed.exchange, () => {
      const asked = page.isShared ? parsed : parsed.as(toRefreshExchange(parsed.exchange, held));
      return this.#toFlight(found, asked, ask);
    });
  }

  #toFlight(
    { key, primaryKey }: Pick<Found, 'key' | 'primaryKey'>,
    parsed: ParsedRequest,
    ask: PageRequest,
  ): Flight {
    const { page, name, asksNotToStore, requestContext, waiter, fallbacks, isBackground } = ask;
    return {
      ...{ key, primaryKey, name, asksNotToStore, asked: page, exchange: parsed.exchange },
      chain: ask.chain,
      terms: { mayQueue: fallbacks.includes('queue'), demand: toDemand(waiter, isBackground) },
      onCalls: ask.onCalls,
      ...this.#requests.of(parsed, page, requestContext),
    };
  }

  /** Renders a page that is not stored, whatever its Cache-Control. */
  async #renderOnly(ask: PageRequest): Promise<Answer | undefined> {
    const flight = this.#toFlight({ key: '', primaryKey: '' }, ask.parsed, ask);
    const rendered = await this.#flights.render(flight);
    if (rendered === undefined) return undefined;
    const { rule } = flight.asked;
    const verdict = mayStore(rendered.response, rule, hasAuthorization(flight), Date.now());
    const reason = typeof verdict === 'string' ? verdict : 'earlier-status';
    return this.#answerRendered(rendered, `fwd=bypass; detail=${reason}`, ask);
  }

  #answerRendered(
    rendered: Rendered,
    status: string,
    { parsed, page, waiter }: PageRequest,
  ): Promise<Answer> {
    noteUnstored(rendered.calls, page.rule?.tags);
    return this.#parts.answers.of(rendered, parsed.exchange, status, waiter);
  }

  /**
   * Answers asynchronously, so there is time to make the encoding that the client takes. A page that is filled
   * has different content in each answer, so its encoding is not kept.
   */
  async #selectEncoded(
    key: string,
    held: CachedPage,
    status: string | undefined,
    { parsed: { exchange }, waiter }: PageRequest,
  ): Promise<Answer> {
    notePage(held.page.tags, held.staleAtMs);
    if (held.fill !== undefined) {
      const { full } = held.at(performance.now(), status).identity;
      return this.#parts.answers.filled(held.fill, full, exchange, waiter);
    }
    await this.#encodings.makeFor(exchange, key, held, waiter);
    // The page may be older than a purge, for the request that its render began with.
    const isPurged = !this.#memory.purges.apply(held);
    return select(held.at(performance.now(), status, isPurged), exchange);
  }

  #answerFailure(held: CachedPage | undefined, error: SsrError, parsed: ParsedRequest): Answer {
    const nowMs = performance.now();
    if (held === undefined || useOf(held, nowMs) === 'expired') throw error;
    this.#flights.backOff(held, error);
    return send(held, parsed, nowMs);
  }
}

/** Answers with a stored page as it is. */
function send(
  held: CachedPage,
  { exchange }: ParsedRequest,
  nowMs: number = performance.now(),
): Answer {
  notePage(held.page.tags, held.staleAtMs);
  return select(held.at(nowMs), exchange);
}
