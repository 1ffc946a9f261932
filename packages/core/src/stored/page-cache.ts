import { isbot } from 'isbot';
import type { SsrError } from '../errors.ts';
import type { Answer, Exchange } from '../exchange.ts';
import type { ProxyHeaderPredicate } from '../host/proxy-headers.ts';
import { type Resource, select } from '../http/select.ts';
import type { ResolvedOptions } from '../options.ts';
import { refuse } from '../refusal.ts';
import { toDemand, type Waiter } from '../render/demand.ts';
import type { Rung } from '../render/render-options.ts';
import type { Rendered } from '../render/render-whole.ts';
import type { Scheduler } from '../render/scheduler.ts';
import type { ResponseHead } from '../render/sendable-response.ts';
import type { PageAnswers } from '../render/page-answers.ts';
import type { PageCoder } from '../render/page-coder.ts';
import { toRequest } from '../render/to-request.ts';
import { normalisePath } from '../target/normalise-path.ts';
import { isWellFormed, pathOf } from '../target/target.ts';
import { toSharedRequest } from '../render/to-shared-request.ts';
import { toBuildId } from './build-id.ts';
import { channelOf } from '../telemetry/channels.ts';
import { type AskedPage, TargetReader } from './asked-page.ts';
import { KeyMaker } from './cache-key.ts';
import { type Flight, isFailure } from './flight.ts';
import { Flights, hasAuthorization } from './flights.ts';
import { HeldPage } from './held-page.ts';
import { LanguageMatcher } from './languages.ts';
import { mayStore } from './may-store.ts';
import { PageCodings } from './page-codings.ts';
import { PageMemory } from './page-memory.ts';
import type { NonceFiller } from './nonce.ts';
import type { Purge } from './page-store.ts';
import { checkPurge } from './check-purge.ts';
import type { ResolvedCacheOptions } from './resolve-cache-options.ts';
import type { RouteRules } from './route-rules.ts';
import { SharedPages } from './shared-pages.ts';
import {
  inspect,
  type InspectOptions,
  type StoredPages,
  type StoredPagesReport,
} from './stored-pages.ts';
import { toRefreshExchange } from './to-refresh-exchange.ts';
import { useOf } from './use-of.ts';
import { readWrittenPath } from './written-path.ts';

const purges = channelOf('ng-ssr:purge');

/** How long a request waits, and what it takes in a page's place. */
export interface Patience {
  readonly waiter: Waiter;
  readonly rungs: readonly Rung[];
  /** Whether the server itself asks: requests come first. */
  readonly isBackground: boolean;
}

/** Enough for any crowd; more would only be memory. */
const MOST_WAITERS = 10_000;
/** Whoever has waited so often without a page renders one of their own. */
const MOST_TURNS = 3;

/** Stored pages: steps 2 to 7 of the request path for what is rendered. */
export class PageCache implements StoredPages {
  readonly #options: ResolvedOptions;
  readonly #isTrusted: ProxyHeaderPredicate;
  readonly #scheduler: Scheduler;
  readonly #rules: RouteRules;
  readonly #targets: TargetReader;
  readonly #keys: KeyMaker;
  readonly #memory: PageMemory;
  readonly #codings: PageCodings;
  readonly #shared: SharedPages | undefined;
  readonly #nonce: NonceFiller | undefined;
  readonly #answers: PageAnswers;
  readonly #flights: Flights;
  #waiters = 0;

  constructor(
    options: ResolvedOptions,
    cache: ResolvedCacheOptions,
    isTrusted: ProxyHeaderPredicate,
    rules: RouteRules,
    scheduler: Scheduler,
    nonce: NonceFiller | undefined,
    coder: PageCoder,
    answers: PageAnswers,
  ) {
    const { codings, onError, render } = options;
    this.#options = options;
    this.#isTrusted = isTrusted;
    this.#scheduler = scheduler;
    this.#nonce = nonce;
    this.#answers = answers;
    this.#rules = rules;
    this.#targets = new TargetReader(rules, cache.ignoredQuery);
    this.#keys = new KeyMaker(cache.languages && new LanguageMatcher(cache.languages), isTrusted);
    this.#memory = new PageMemory(cache.maxBytes);
    this.#codings = new PageCodings(this.#memory, coder, codings, render.encodings);
    this.#shared =
      cache.store &&
      new SharedPages(cache.store, {
        buildId: cache.buildId ?? toBuildId(options.browserFolder),
        onError,
        onPurge: (purge) => this.#purgeMemory(purge, true),
      });
    this.#flights = new Flights({
      memory: this.#memory,
      keys: this.#keys,
      shared: this.#shared,
      render: (flight) => this.#render(flight),
      nonce,
      isCoded: codings.length > 0,
      onError,
    });
  }

  /** The stored page for a request, when no more is to be done than to answer with it. Synchronous. */
  find(exchange: Exchange, origin: string): Answer | undefined {
    const asked = this.#targets.read(exchange.target);
    const { key, held } = this.#lookUp(asked, origin, exchange);
    if (held === undefined) return undefined;
    const nowMs = performance.now();
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
   * @throws SsrError as a {@link Scheduler} does.
   */
  async answer(
    exchange: Exchange,
    origin: string,
    requestContext: unknown,
    { waiter, rungs, isBackground }: Patience,
  ): Promise<Answer | undefined> {
    const asked = this.#targets.read(exchange.target);
    const toFlight = (key: string, from = exchange): Flight => ({
      key,
      asked,
      exchange: from,
      terms: { mayQueue: rungs.includes('queue'), demand: toDemand(waiter, isBackground) },
      ...this.#toEngineRequest(from, origin, asked, requestContext),
    });
    const refresh = (key: string, held: HeldPage): void =>
      this.#flights.refresh(held, () =>
        toFlight(key, asked.isShared ? exchange : toRefreshExchange(exchange, held)),
      );
    if (asked.rule?.store === false || exchange.status !== 200) {
      return this.#renderOnly(toFlight(''), waiter);
    }

    let failure: SsrError | undefined;
    for (let turn = 0; ; turn++) {
      const nowMs = performance.now();
      const { key, held, isVariant } = this.#lookUp(asked, origin, exchange);
      const use = held === undefined ? 'expired' : useOf(held, nowMs);
      if (held !== undefined && (use === 'fresh' || use === 'stale')) {
        if (use === 'stale') refresh(key, held);
        const status = turn === 0 ? undefined : 'fwd=uri-miss; collapsed';
        return this.#selectCoded(key, held, status, exchange, waiter);
      }
      if (held !== undefined && use === 'if-error') {
        const isOverloaded = rungs.includes('stale') && this.#scheduler.isSaturated;
        if (isOverloaded || nowMs < held.retryAtMs) return this.#select(held.at(nowMs), exchange);
      }
      const { bots } = this.#options.render;
      if (bots !== undefined && isbot(exchange.header('user-agent'))) {
        const staleMs = held === undefined || held.isStaleForbidden ? 0 : bots.staleSeconds * 1000;
        if (held !== undefined && nowMs < held.staleAtMs + staleMs) {
          refresh(key, held);
          return this.#selectCoded(key, held, undefined, exchange, waiter);
        }
        if (!bots.renderCold) return refuse('NG_SSR_OVERLOADED', exchange.method);
      }

      const isAlone = turn >= MOST_TURNS || this.#memory.isUnshared(key);
      const underWay = isAlone ? undefined : this.#flights.find(key);
      if (underWay !== undefined) {
        if (!isBackground) underWay.demand.add(waiter);
        if (this.#waiters >= MOST_WAITERS) return refuse('NG_SSR_OVERLOADED', exchange.method);
        this.#waiters++;
        const { outcome: landing } = underWay;
        const outcome = await landing;
        this.#waiters--;
        if (asked.isShared && outcome.kind === 'unshared' && isFailure(outcome)) {
          // It was rendered from nothing that is the leader's alone.
          const { response, body } = outcome.rendered;
          const detail = `fwd=uri-miss; collapsed; detail=${outcome.reason}`;
          const rendered = { response: withoutPersonal(response), body };
          return this.#answers.of(rendered, exchange, detail, waiter);
        }
        if (outcome.kind !== 'failed') continue;
        if (failure !== undefined) return this.#answerFailure(held, outcome.error, exchange);
        // Whose request led may be the reason: one of those who waited leads once more.
        failure = outcome.error;
        continue;
      }

      // A request whose client has left must not lead: its flight is dropped, with all who wait for it.
      if (waiter.hasLeft && !isBackground) return refuse('NG_SSR_OVERLOADED', exchange.method);
      const flight = toFlight(key);
      const outcome = await (isAlone
        ? this.#flights.startAlone(flight)
        : this.#flights.start(flight));
      const forward = held !== undefined ? 'stale' : isVariant ? 'vary-miss' : 'uri-miss';
      switch (outcome.kind) {
        case 'stored': {
          const status = outcome.isRendered ? `fwd=${forward}; stored` : undefined;
          return this.#selectCoded(outcome.key, outcome.held, status, exchange, waiter);
        }
        case 'unshared': {
          const { rendered, reason } = outcome;
          if (held !== undefined && use === 'if-error' && isFailure(outcome)) {
            this.#flights.backOff(held, undefined);
            return this.#select(held.at(performance.now()), exchange);
          }
          // What one client gets says little about the page of all others.
          if (held !== undefined && this.#memory.holds(key, held)) refresh(key, held);
          return this.#answers.of(rendered, exchange, `fwd=${forward}; detail=${reason}`, waiter);
        }
        case 'apart':
          continue;
        case 'declined':
          return undefined;
        case 'failed':
          return this.#answerFailure(held, outcome.error, exchange);
      }
    }
  }

  /** A page past its time that may be used where nothing better comes (RFC 5861 section 4). */
  findStale(exchange: Exchange, origin: string): Answer | undefined {
    const { held } = this.#lookUp(this.#targets.read(exchange.target), origin, exchange);
    if (held === undefined || useOf(held, performance.now()) === 'expired') return undefined;
    return this.#select(held.at(performance.now()), exchange);
  }

  /** Query parameters that pages do not see, for redirects to keep. */
  ignoredQuery(exchange: Exchange): string {
    return this.#targets.read(exchange.target).ignored;
  }

  async purge(purge: Purge): Promise<void> {
    checkPurge(purge);
    const { path, prefix, tag, hard = false } = purge;
    const normalised =
      path !== undefined
        ? { path: this.#rules.read(readWrittenPath(path)).routePath, hard }
        : prefix !== undefined
          ? { prefix: this.#rules.readPrefix(prefix), hard }
          : { tag, hard };
    this.#purgeMemory(normalised, false);
    if (this.#shared === undefined) return;
    try {
      await this.#shared.purge(normalised);
    } finally {
      // A page that was taken from the store meanwhile may be one of before.
      this.#memory.purge(normalised);
    }
  }

  /**
   * Removes the pages of a target's path, with all queries and variants, here at once and in all
   * processes that share the store. Never throws; what is no page's path leaves nothing behind.
   */
  invalidate(target: string): void {
    if (!isWellFormed(target)) return;
    const path = this.#rules.read(normalisePath(pathOf(target))).routePath;
    const purge: Purge = { path, hard: true };
    if (this.#memory.mayHold(path)) this.#purgeMemory(purge, false);
    void this.#shared?.invalidate(path).then((isBehind) => {
      if (isBehind && this.#memory.mayHold(path)) this.#memory.purge(purge);
    });
  }

  #purgeMemory(purge: Purge, isRemote: boolean): void {
    this.#memory.purge(purge);
    if (purges.hasSubscribers) purges.publish({ ...purge, isRemote });
  }

  inspect({ prefix = '', limit }: InspectOptions = {}): StoredPagesReport {
    const routePrefix = prefix && this.#rules.readPrefix(prefix);
    return inspect(this.#memory, { prefix: routePrefix, limit });
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
    const prefix = this.#keys.valueOf(exchange, 'x-forwarded-prefix');
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

  /** A render whose page is not stored, whatever it says. */
  async #renderOnly(flight: Flight, waiter: Waiter): Promise<Answer | undefined> {
    const rendered = await this.#render(flight);
    if (rendered === undefined) return undefined;
    const { exchange, asked } = flight;
    const verdict = mayStore(rendered.response, asked.rule, hasAuthorization(flight), Date.now());
    const reason = typeof verdict === 'string' ? verdict : 'earlier-status';
    return this.#answers.of(rendered, exchange, `fwd=bypass; detail=${reason}`, waiter);
  }

  async #render(flight: Flight): Promise<Rendered | undefined> {
    const { request, requestContext, exchange, terms } = flight;
    const { isShared } = flight.asked;
    const name = `${exchange.method} ${exchange.target}`;
    const job = { request, requestContext, isShared, name };
    const rendered = await this.#scheduler.render(job, terms);
    if (rendered !== undefined) this.#nonce?.assertFillable(rendered, name);
    return rendered;
  }

  /**
   * A request that has come this way waits already: there is time for the coding that it takes. A nonce
   * makes other content of the page for each answer, which is the same for no other request.
   */
  async #selectCoded(
    key: string,
    held: HeldPage,
    status: string | undefined,
    exchange: Exchange,
    waiter: Waiter,
  ): Promise<Answer> {
    const { full } = held.at(performance.now(), status).identity;
    if (this.#nonce?.isIn(full) === true) return this.#answers.withNonce(full, exchange, waiter);
    await this.#codings.makeFor(exchange, key, held, waiter);
    return select(held.at(performance.now(), status), exchange);
  }

  #select(resource: Resource, exchange: Exchange): Answer {
    const { full } = resource.identity;
    return this.#nonce?.isIn(full) === true
      ? this.#nonce.fill(full, exchange)
      : select(resource, exchange);
  }

  #answerFailure(held: HeldPage | undefined, error: SsrError, exchange: Exchange): Answer {
    if (held === undefined || useOf(held, performance.now()) === 'expired') throw error;
    this.#flights.backOff(held, error);
    return this.#select(held.at(performance.now()), exchange);
  }
}

/** Fields of a response that are for one client alone, whoever else is given the rest. */
const PERSONAL = ['set-cookie', 'set-cookie2', 'authentication-info', 'proxy-authentication-info'];

function withoutPersonal({ status, headers }: ResponseHead): ResponseHead {
  const kept = new Headers(headers);
  for (const name of PERSONAL) kept.delete(name);
  return { status, headers: kept };
}
