import type { Purge } from './page-store.ts';

/** What a server offers as `cache`: to purge stored pages and to look at them. */
export interface StoredPages {
  /**
   * Marks pages stale or, with `hard`, removes them: in this process at once, and in all others
   * that share the store. Its cost does not depend on the number of pages.
   *
   * @throws SsrError `NG_SSR_PURGE_INVALID` when not exactly one of path, prefix and tag is given;
   * rejects with `NG_SSR_STORE_UNAVAILABLE` when other processes may not have heard of it: try again.
   */
  purge(purge: Purge): Promise<void>;
  /** What is stored in this process, the most recently used first. */
  inspect(options?: InspectOptions): StoredPagesReport;
}

/** What to look at. */
export interface InspectOptions {
  /** Only pages whose path begins so. */
  readonly prefix?: string | undefined;
  /** How many to list. Default: 100. */
  readonly limit?: number | undefined;
}

/** How full the memory is, and what is in it. */
export interface StoredPagesReport {
  readonly count: number;
  readonly bytes: number;
  readonly maxBytes: number;
  readonly pages: readonly StoredPageReport[];
}

/** One stored page. */
export interface StoredPageReport {
  readonly key: string;
  readonly path: string;
  readonly status: number;
  readonly state: 'fresh' | 'stale' | 'expired';
  readonly ageSeconds: number;
  /** Seconds until it is no longer fresh; negative behind that. */
  readonly ttlSeconds: number;
  readonly tags: readonly string[];
  /** Bytes in memory, all codings and fields included. */
  readonly bytes: number;
  /** The codings that are made. */
  readonly codings: readonly string[];
}
