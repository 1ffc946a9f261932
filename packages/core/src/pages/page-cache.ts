import { isbot } from 'isbot';
import { refuse } from '../answers/refusal.ts';
import { type Resource, select } from '../answers/select.ts';
import type { SsrError } from '../errors.ts';
import type { Answer } from '../exchange.ts';
import { toDemand } from '../render/demand.ts';
import type { Rendered } from '../render/render-whole.ts';
import { EngineRequests } from './flights/engine-request.ts';
import { type Flight, isFailure, type Outcome } from './flights/flight.ts';
import { Flights, hasAuthorization, type UnderWay } from './flights/flights.ts';
import { toRefreshExchange } from './flights/to-refresh-exchange.ts';
import { withoutPersonal } from './flights/without-personal.ts';
import { KeyMaker } from './key/cache-key.ts';
import { LanguageMatcher } from './key/languages.ts';
import { HeldPage } from './memory/held-page.ts';
import { PageCodings } from './memory/page-codings.ts';
import { PageMemory } from './memory/page-memory.ts';
import { mayStore } from './policy/may-store.ts';
import { type Use, useOf } from './policy/use-of.ts';
import type { Purge } from '../purge.ts';
import type { PageCacheParts } from './page-cache-parts.ts';
import type { Pages, Patience } from './pages.ts';
import { Purges } from './purges.ts';
import { toBuildId } from './store/build-id.ts';
import { SharedPages } from './store/shared-pages.ts';
import { inspect, type InspectOptions, type StoredPagesReport } from './stored-pages.ts';
import type { Visit } from './visit.ts';

/** One request for a page. */
interface Ask extends Patience {
  readonly visit: Visit;
  readonly requestContext: unknown;
}

/** The state of a page in memory, for one request. */
interface Found {
  readonly key: string;
  readonly held: HeldPage | undefined;
  readonly use: Use;
  /** Whether the page varies by request fields. */
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
  readonly #memory: PageMemory;
  readonly #codings: PageCodings;
  readonly #shared: SharedPages | undefined;
  readonly #purges: Purges;
  readonly #requests: EngineRequests;
  readonly #flights: Flights;
  #waiters = 0;

  constructor(parts: PageCacheParts) {
    const { cache, files, render, isTrusted, rules, nonce, onError } = parts;
    this.#parts = parts;
    this.#keys = new KeyMaker(cache.languages && new LanguageMatcher(cache.languages), isTrusted);
    this.#memory = new PageMemory(cache.maxBytes);
    this.#codings = new PageCodings(this.#memory, parts.coder, cache.encodings, render.encodings);
    this.#purges = new Purges(rules, this.#memory, () => this.#shared);
    this.#shared =
      cache.store &&
      new SharedPages(cache.store, {
        buildId: cache.buildId ?? toBuildId(files.folder),
        onError,
        onPurge: (purge) => this.#purges.purgeMemory(purge, true),
      });
    this.#requests = new EngineRequests(this.#keys, isTrusted, parts.errorDetails);
    this.#flights = new Flights({
      memory: this.#memory,
      keys: this.#keys,
      shared: this.#shared,
      render: (flight) => this.#render(flight),
      nonce,
      isCoded: cache.encodings.length > 0,
      onError,
    });
  }

  find(visit: Visit): Answer | undefined {
    const { key, held } = this.#lookUp(visit);
    if (held === undefined) return undefined;
    const nowMs = performance.now();
    if (nowMs >= held.staleAtMs) {
      // A refresh needs the request context, which the adapter passes only to `render`.
      const isAttended = held.isRefreshing || nowMs < held.retryAtMs;
      if (!isAttended || !isUsable(held, nowMs)) return undefined;
    }
    this.#codings.count(key, held);
    return this.#select(held.at(nowMs), visit);
  }

  /** Renders a page once for all requests that arrive for it meanwhile. */
  async answer(
    visit: Visit,
    requestContext: unknown,
    { waiter, fallbacks, isBackground }: Patience,
  ): Promise<Answer | undefined> {
    const ask: Ask = { visit, requestContext, waiter, fallbacks, isBackground };
    if (visit.page.rule?.cache === false || visit.exchange.status !== 200) {
      return this.#renderOnly(ask);
    }
    let failure: SsrError | undefined;
    for (let turn = 0; ; turn++) {
      const found = this.#find(visit);
      const held = this.#answerHeld(found, ask, turn) ?? this.#answerBot(found, ask);
      if (held !== undefined) return held;

      const isAlone = turn >= MOST_TURNS || this.#memory.isUnshared(found.key);
      const underWay = isAlone ? undefined : this.#flights.find(found.key);
      if (underWay === undefined) {
        const answer = await this.#lead(found, ask, isAlone);
        if (answer === 'apart') continue;
        return answer;
      }
      if (!isBackground) underWay.demand.add(waiter);
      if (this.#waiters >= MOST_WAITERS) return refuse('NG_SSR_OVERLOADED', visit.method);
      const outcome = await this.#waitFor(underWay);
      if (visit.page.isShared && outcome.kind === 'unshared' && isFailure(outcome)) {
        // The engine saw nothing specific to the leader's request: every waiting request may have the answer.
        const { response, body } = outcome.rendered;
        const detail = `fwd=uri-miss; collapsed; detail=${outcome.reason}`;
        return this.#answerRendered({ response: withoutPersonal(response), body }, detail, ask);
      }
      if (outcome.kind !== 'failed') continue;
      if (failure !== undefined) return this.#answerFailure(found.held, outcome.error, visit);
      // The leader's request may be the cause: one of the waiting requests leads a second render.
      failure = outcome.error;
    }
  }

  findStale(visit: Visit): Answer | undefined {
    const { held, use } = this.#find(visit);
    if (held === undefined || use === 'expired') return undefined;
    return this.#select(held.at(performance.now()), visit);
  }

  purge(purge: Purge): Promise<void> {
    return this.#purges.purge(purge);
  }

  /** As {@link Purges.invalidate}. */
  invalidate(target: string): void {
    this.#purges.invalidate(target);
  }

  inspect({ prefix = '', limit }: InspectOptions = {}): StoredPagesReport {
    const routePrefix = prefix && this.#parts.rules.readPrefix(prefix);
    return inspect(this.#memory, { prefix: routePrefix, limit });
  }

  /** Resolves when the shared store has closed its connections. */
  async close(): Promise<void> {
    this.#codings.stop();
    await this.#shared?.close();
  }

  #lookUp(visit: Visit): Pick<Found, 'key' | 'held' | 'isVariant'> {
    // Not kept: the engine is sent the fields of this moment, and the key must be of the same.
    const key = this.#keys.primaryKey(visit);
    const entry = this.#memory.get(key);
    if (entry === undefined || entry instanceof HeldPage) {
      return { key, held: entry, isVariant: false };
    }
    const variantKey = this.#keys.variantKey(key, entry.vary, visit.exchange);
    const variant = this.#memory.get(variantKey);
    const held = variant instanceof HeldPage ? variant : undefined;
    return { key: variantKey, held, isVariant: true };
  }

  #find(visit: Visit): Found {
    const { key, held, isVariant } = this.#lookUp(visit);
    const use = held === undefined ? 'expired' : useOf(held, performance.now());
    return { key, held, use, isVariant };
  }

  /** Answers from memory, if the stored page may be used. */
  #answerHeld({ key, held, use }: Found, ask: Ask, turn: number): Promise<Answer> | undefined {
    if (held === undefined || use === 'expired') return undefined;
    if (use === 'fresh' || use === 'stale') {
      if (use === 'stale') this.#refresh(key, held, ask);
      const status = turn === 0 ? undefined : 'fwd=uri-miss; collapsed';
      return this.#selectCoded(key, held, status, ask);
    }
    const nowMs = performance.now();
    const isOverloaded = ask.fallbacks.includes('stale') && this.#parts.scheduler.isSaturated;
    if (!isOverloaded && nowMs >= held.retryAtMs) return undefined;
    return Promise.resolve(this.#select(held.at(nowMs), ask.visit));
  }

  /** Crawlers may get older pages than other clients, or 503 in place of a render (`render.bots`). */
  #answerBot({ key, held }: Found, ask: Ask): Promise<Answer> | undefined {
    const { bots } = this.#parts.render;
    const { exchange, method } = ask.visit;
    if (bots === undefined || !isbot(exchange.header('user-agent'))) return undefined;
    const staleMs = held === undefined || held.isStaleForbidden ? 0 : bots.staleSeconds * 1000;
    if (held !== undefined && performance.now() < held.staleAtMs + staleMs) {
      this.#refresh(key, held, ask);
      return this.#selectCoded(key, held, undefined, ask);
    }
    return bots.renderCold ? undefined : Promise.resolve(refuse('NG_SSR_OVERLOADED', method));
  }

  /** Renders for this request and, unless `isAlone`, for those that wait for the same page. */
  async #lead(found: Found, ask: Ask, isAlone: boolean): Promise<Answer | 'apart' | undefined> {
    const { key, held, use, isVariant } = found;
    const { visit, waiter, isBackground } = ask;
    // A request whose client has disconnected must not lead: its flight would fail for all that wait for it.
    if (waiter.hasLeft && !isBackground) return refuse('NG_SSR_OVERLOADED', visit.method);
    const flight = this.#toFlight(key, visit, ask);
    const outcome = await (isAlone
      ? this.#flights.startAlone(flight)
      : this.#flights.start(flight));
    const forward = held !== undefined ? 'stale' : isVariant ? 'vary-miss' : 'uri-miss';
    switch (outcome.kind) {
      case 'stored': {
        const status = outcome.isRendered ? `fwd=${forward}; stored` : undefined;
        return this.#selectCoded(outcome.key, outcome.held, status, ask);
      }
      case 'unshared':
        if (held !== undefined && use === 'if-error' && isFailure(outcome)) {
          this.#flights.backOff(held, undefined);
          return this.#select(held.at(performance.now()), visit);
        }
        // An answer for one client says little about the page for all others: a refresh decides.
        if (held !== undefined && this.#memory.holds(key, held)) this.#refresh(key, held, ask);
        return this.#answerRendered(
          outcome.rendered,
          `fwd=${forward}; detail=${outcome.reason}`,
          ask,
        );
      case 'apart':
        return 'apart';
      case 'declined':
        return undefined;
      case 'failed':
        return this.#answerFailure(held, outcome.error, visit);
    }
  }

  async #waitFor({ outcome }: UnderWay): Promise<Outcome> {
    this.#waiters++;
    const landed = await outcome;
    this.#waiters--;
    return landed;
  }

  #refresh(key: string, held: HeldPage, ask: Ask): void {
    this.#flights.refresh(held, () => {
      const { visit } = ask;
      const isShared = visit.page.isShared;
      const asked = isShared ? visit : visit.as(toRefreshExchange(visit.exchange, held));
      return this.#toFlight(key, asked, ask);
    });
  }

  #toFlight(
    key: string,
    visit: Visit,
    { requestContext, waiter, fallbacks, isBackground }: Ask,
  ): Flight {
    return {
      key,
      asked: visit.page,
      exchange: visit.exchange,
      name: visit.name,
      terms: { mayQueue: fallbacks.includes('queue'), demand: toDemand(waiter, isBackground) },
      ...this.#requests.of(visit, requestContext),
    };
  }

  /** Renders a page that is not stored, whatever its Cache-Control. */
  async #renderOnly(ask: Ask): Promise<Answer | undefined> {
    const flight = this.#toFlight('', ask.visit, ask);
    const rendered = await this.#render(flight);
    if (rendered === undefined) return undefined;
    const { rule } = flight.asked;
    const verdict = mayStore(rendered.response, rule, hasAuthorization(flight), Date.now());
    const reason = typeof verdict === 'string' ? verdict : 'earlier-status';
    return this.#answerRendered(rendered, `fwd=bypass; detail=${reason}`, ask);
  }

  async #render({
    request,
    requestContext,
    asked,
    name,
    terms,
  }: Flight): Promise<Rendered | undefined> {
    const job = { request, requestContext, isShared: asked.isShared, name };
    const rendered = await this.#parts.scheduler.render(job, terms);
    if (rendered !== undefined) this.#parts.nonce?.assertFillable(rendered, name);
    return rendered;
  }

  #answerRendered(rendered: Rendered, status: string, { visit, waiter }: Ask): Promise<Answer> {
    return this.#parts.answers.of(rendered, visit.exchange, status, waiter);
  }

  /**
   * Answers asynchronously, so there is time to make the coding that the client takes. A page with a nonce
   * has different content in each answer, so its coding is not kept.
   */
  async #selectCoded(
    key: string,
    held: HeldPage,
    status: string | undefined,
    { visit: { exchange }, waiter }: Ask,
  ): Promise<Answer> {
    const { nonce, answers } = this.#parts;
    if (nonce?.isIn(held.identity) === true) {
      const { full } = held.at(performance.now(), status).identity;
      return answers.withNonce(full, exchange, waiter);
    }
    await this.#codings.makeFor(exchange, key, held, waiter);
    return select(held.at(performance.now(), status), exchange, undefined);
  }

  #select(resource: Resource, { exchange }: Visit): Answer {
    return select(resource, exchange, this.#parts.nonce);
  }

  #answerFailure(held: HeldPage | undefined, error: SsrError, visit: Visit): Answer {
    const nowMs = performance.now();
    if (held === undefined || useOf(held, nowMs) === 'expired') throw error;
    this.#flights.backOff(held, error);
    return this.#select(held.at(nowMs), visit);
  }
}

function isUsable(held: HeldPage, nowMs: number): boolean {
  const use = useOf(held, nowMs);
  return use === 'stale' || (use === 'if-error' && nowMs < held.retryAtMs);
}
