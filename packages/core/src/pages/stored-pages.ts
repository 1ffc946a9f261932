import type { CachedPage } from './memory/cached-page.ts';
import type { MemoryStore } from './memory/memory-store.ts';
import type { Purge } from '../purge.ts';
import { checkPurge } from './check-purge.ts';
import type { CountPurged, PurgePages, PurgeReach } from './purge-reach.ts';
import { checkRefresh, type Refresh, type RefreshReport } from './refreshes.ts';
import { useOf } from './policy/use-of.ts';

/** The `cache` of a server: purges and inspects cached pages. */
export interface StoredPages {
  /**
   * Marks pages as stale or, with `hard`, removes them: in this process at once, then in processes that share the store,
   * then in the CDN. The cost does not depend on the number of pages, unless `count` is set.
   *
   * @throws SsrError `NG_SSR_PURGE_INVALID` when not exactly one of path, prefix and tag is given;
   * rejects with `NG_SSR_STORE_UNAVAILABLE` when other processes may not have received it, and with
   * `NG_SSR_EDGE_UNAVAILABLE` when the edge has not confirmed it: try again.
   */
  purge(purge: Purge): Promise<void>;
  /** The same, and counts the pages that it matches in this process. */
  purge(purge: Purge, options: CountPurged): Promise<PurgeReach>;
  /**
   * Renders pages again, also fresh ones, and caches them here and in the shared store. Visitors get the old page until
   * then, and their own renders come first. Other processes and the CDN keep their copy: see `purge`.
   *
   * @throws SsrError `NG_SSR_REFRESH_INVALID` when not exactly one of path, prefix, tag and urls is given.
   */
  refresh(refresh: Refresh): Promise<RefreshReport>;
  /** Lists the cached pages of this process, most recently used first. */
  inspect(options?: InspectOptions): StoredPagesReport;
}

/** Options of `inspect`. */
export interface InspectOptions {
  /** Only pages whose path starts with this. */
  readonly prefix?: string | undefined;
  /** Maximum number of pages. Default: 100. */
  readonly limit?: number | undefined;
}

/** The memory of the cache, and its pages. */
export interface StoredPagesReport {
  readonly count: number;
  readonly bytes: number;
  readonly maxBytes: number;
  readonly pages: readonly StoredPageReport[];
}

/** One cached page. */
export interface StoredPageReport {
  readonly key: string;
  readonly path: string;
  readonly status: number;
  readonly state: 'fresh' | 'stale' | 'expired';
  readonly ageSeconds: number;
  /** Seconds until the page is stale; negative after that. */
  readonly ttlSeconds: number;
  readonly tags: readonly string[];
  /** Bytes in memory, with all encodings and headers. */
  readonly bytes: number;
  /** Encodings made so far. */
  readonly encodings: readonly string[];
}

/** Describes the contents of a memory. */
export function inspect(
  memory: MemoryStore,
  { prefix = '', limit = 100 }: InspectOptions = {},
): StoredPagesReport {
  const nowMs = performance.now();
  const pages: StoredPageReport[] = [];
  for (const [key, held] of memory.pages()) {
    if (pages.length >= limit) break;
    if (held.page.path.startsWith(prefix)) pages.push(describeStored(key, held, nowMs));
  }
  return { count: memory.count, bytes: memory.bytes, maxBytes: memory.maxBytes, pages };
}

/** @param nowMs - `performance.now()` */
export function describeStored(key: string, held: CachedPage, nowMs: number): StoredPageReport {
  const { path, status, tags } = held.page;
  const use = useOf(held, nowMs);
  return {
    key,
    path,
    status,
    state: use === 'if-error' ? 'stale' : use,
    ageSeconds: Math.floor((nowMs - held.bornAtMs) / 1000),
    ttlSeconds: Math.floor((held.staleAtMs - nowMs) / 1000),
    tags,
    bytes: held.bytes,
    encodings: Object.keys(held.encoded),
  };
}

/** The `cache` of a server that stores nothing. */
export const nothingStored: StoredPages = {
  purge: (async (purge: Purge, options?: CountPurged) => {
    checkPurge(purge);
    return options && { here: 0, elsewhere: [] };
  }) as PurgePages,
  refresh: async (refresh) => {
    checkRefresh(refresh);
    return { refreshed: 0, failed: [], notStored: refresh.urls ?? [], skipped: [] };
  },
  inspect: () => ({ count: 0, bytes: 0, maxBytes: 0, pages: [] }),
};
