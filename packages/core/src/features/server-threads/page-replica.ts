import { select } from '../../answers/select.ts';
import type { Answer } from '../../exchange.ts';
import { KeyMaker } from '../../pages/key/cache-key.ts';
import { LanguageMatcher } from '../../pages/key/languages.ts';
import { checkPurge } from '../../pages/check-purge.ts';
import {
  type CountPurged,
  countMatching,
  normalisePurge,
  type PurgePages,
  type PurgeReach,
} from '../../pages/purge-reach.ts';
import { checkRefresh, type Refresh, type RefreshReport } from '../../pages/refreshes.ts';
import { CachedPage } from '../../pages/memory/cached-page.ts';
import { MemoryStore } from '../../pages/memory/memory-store.ts';
import type { PageRequest, Pages } from '../../pages/pages.ts';
import { isAttended, useOf } from '../../pages/policy/use-of.ts';
import { publicPaths } from '../../pages/public-paths.ts';
import { inspect, type InspectOptions, type StoredPagesReport } from '../../pages/stored-pages.ts';
import type { Hit, ParsedRequest } from '../../pages/parsed-request.ts';
import type { Purge } from '../../purge.ts';
import { isWellFormed, normalisePath, pathOf } from '../../http/target.ts';
import type { PageCopiesParts } from '../../threads/server-threads.ts';
import { toOwnMs } from './common-clock.ts';
import type { MainLink, PageMessage } from './main-link.ts';
import { fromWireEntry, type WireEntry } from './wire-page.ts';

/** How long hits are collected before the main thread gets them. */
const HITS_EVERY_MS = 50;

const nothing = (): void => undefined;

/**
 * The stored pages of a server thread: copies of the main thread's entries over the same bytes, so that hits are
 * synchronous here too. Everything else is asked of the main thread, which alone stores, drops and renders.
 */
export class PageReplica implements Pages {
  readonly #main: MainLink;
  readonly #parts: PageCopiesParts;
  readonly #keys: KeyMaker;
  /** The main thread drops what is too much. */
  readonly #memory = new MemoryStore(Number.MAX_SAFE_INTEGER);
  readonly #hits = new Map<string, number>();
  /** Stale pages that the main thread was asked to refresh, until it has replied. */
  readonly #asked = new WeakSet<CachedPage>();
  #timer: NodeJS.Timeout | undefined;

  constructor(main: MainLink, parts: PageCopiesParts) {
    this.#main = main;
    this.#parts = parts;
    const { cache, isTrusted } = parts;
    const languages = cache ? cache.languages : undefined;
    this.#keys = new KeyMaker(languages && new LanguageMatcher(languages), isTrusted);
    for (const [key, entry] of main.start.pages) {
      this.#hold(key, entry);
    }
    const catchUp = (): boolean => main.catchUp();
    const [stored, dropped, refreshed, purged] = [nothing, nothing, nothing, nothing];
    this.#memory.follow({ catchUp, stored, dropped, refreshed, purged });
  }

  /** Applies a change of the main thread's memory. */
  take(message: PageMessage): void {
    switch (message.kind) {
      case 'stored':
        return this.#hold(message.key, message.entry);
      case 'dropped':
        return this.#memory.delete(message.key);
      case 'purged':
        return this.#memory.purge(message.purge);
      case 'refreshed': {
        const held = this.#memory.peek(message.key);
        if (!(held instanceof CachedPage)) return;
        held.isRefreshing = message.isRefreshing;
        held.retryAtMs = toOwnMs(message.retryAtMs);
      }
    }
  }

  find(request: ParsedRequest): Answer | undefined {
    const { key, held } = this.#lookUp(request);
    if (held === undefined) return undefined;
    const nowMs = performance.now();
    const isFresh = nowMs < held.staleAtMs;
    if (!isFresh && !isAttended(held, nowMs) && !this.#isAsked(held, nowMs)) return undefined;
    request.hit = { key, held };
    return select(held.at(nowMs), request.exchange);
  }

  /** The main thread counts it. */
  countHit({ key }: Hit): void {
    this.#hits.set(key, (this.#hits.get(key) ?? 0) + 1);
    this.#timer ??= setTimeout(() => this.#sendHits(), HITS_EVERY_MS).unref();
  }

  async answer(ask: PageRequest): Promise<Answer | undefined> {
    const { parsed: request, page, name, requestContext, waiter, earlierStatus } = ask;
    const main = this.#main;
    // The engine gets no context for a shared route.
    const context = page.isShared ? undefined : requestContext;
    const mayBeStored = page.rule?.cache !== false && earlierStatus === 200;
    const { held } = mayBeStored ? this.#lookUp(request) : { held: undefined };
    const nowMs = performance.now();
    if (held === undefined || !isStale(held, nowMs)) {
      return main.render(request.exchange, context, name, (listener) => waiter.onLeave(listener));
    }
    // The main thread renders it again, and this answer does not wait for that.
    this.#asked.add(held);
    void main
      .render(request.exchange, context, name)
      .catch(nothing)
      .finally(() => this.#asked.delete(held));
    return select(held.at(nowMs), request.exchange);
  }

  findStale(request: ParsedRequest): Answer | undefined {
    const { held } = this.#lookUp(request);
    const nowMs = performance.now();
    if (held === undefined || useOf(held, nowMs) === 'expired') return undefined;
    return select(held.at(nowMs), request.exchange);
  }

  readonly purge: PurgePages = (async (purge: Purge, options?: CountPurged) => {
    checkPurge(purge);
    const reach = options?.count && this.#reach(purge);
    const main = this.#main;
    const { reply } = main.ask((id) => ({ kind: 'purge', id, purge: { ...purge } }));
    main.notePurge();
    await reply;
    return reach;
  }) as PurgePages;

  async refresh(refresh: Refresh): Promise<RefreshReport> {
    checkRefresh(refresh);
    const main = this.#main;
    return main.ask((id) => ({ kind: 'refresh', id, refresh })).reply as Promise<RefreshReport>;
  }

  #reach(purge: Purge): PurgeReach {
    const { rules, downstream, hasTier } = this.#parts;
    this.#main.catchUp();
    const here = countMatching(this.#memory, normalisePurge(rules, purge));
    const store = hasTier ? (['store'] as const) : [];
    return { here, elsewhere: [...store, ...(downstream ? [downstream.kind] : [])] };
  }

  invalidate(target: string): void {
    const main = this.#main;
    if (!isWellFormed(target)) return;
    main.readAll();
    const path = this.#parts.rules.read(normalisePath(pathOf(target))).routePath;
    // Most targets are no pages. Until the main thread has passed on a purge, hits of all threads wait for it.
    const isCounted = this.#memory.mayHold(path);
    main.post({ kind: 'invalidate', target, isCounted });
    if (isCounted) main.notePurge();
  }

  publicPaths(origin: string): Iterable<string> {
    this.#main.catchUp();
    return publicPaths(this.#memory, origin);
  }

  inspect({ prefix = '', limit }: InspectOptions = {}): StoredPagesReport {
    const { rules, cache } = this.#parts;
    this.#main.catchUp();
    const routePrefix = prefix && rules.readPrefix(prefix);
    return {
      ...inspect(this.#memory, { prefix: routePrefix, limit }),
      maxBytes: cache ? cache.maxBytes : 0,
    };
  }

  async close(): Promise<void> {}

  #isAsked(held: CachedPage, nowMs: number): boolean {
    return this.#asked.has(held) && isStale(held, nowMs);
  }

  #lookUp(request: ParsedRequest): { readonly key: string; readonly held: CachedPage | undefined } {
    const primaryKey = this.#keys.primaryKey(request);
    const entry = this.#memory.get(primaryKey);
    if (entry === undefined || entry instanceof CachedPage) return { key: primaryKey, held: entry };
    const key = this.#keys.variantKey(primaryKey, entry.vary, request.exchange);
    const variant = this.#memory.get(key);
    return { key, held: variant instanceof CachedPage ? variant : undefined };
  }

  #hold(key: string, plain: WireEntry): void {
    try {
      const { latest } = this.#memory.purges;
      this.#memory.set(key, fromWireEntry(plain, latest, this.#parts.traits));
    } catch {
      // A trait of a feature has failed here, which it has reported: the main thread answers with this page.
      this.#memory.delete(key);
    }
  }

  #sendHits(): void {
    this.#timer = undefined;
    this.#main.post({ kind: 'hits', hits: [...this.#hits] });
    this.#hits.clear();
  }
}

function isStale(held: CachedPage, nowMs: number): boolean {
  return useOf(held, nowMs) === 'stale';
}
