import type { Purge } from '../../purge.ts';
import type { SsrError } from '../../errors.ts';

/** A stored page: plain data, so that it can leave the process. */
export interface StoredPage {
  readonly status: number;
  /**
   * The response's own fields, `[name, value, name, value, ...]`; those of the connection, Age and
   * Content-Length are left out.
   */
  readonly headers: readonly string[];
  readonly body: Uint8Array;
  /** Offsets in the body at which each answer's nonce goes, ascending; only in a shared store. */
  readonly nonceAt?: readonly number[] | undefined;
  /** The path as Angular's router reads it: the same for all spellings. Purges compare with it. */
  readonly path: string;
  /** From Cache-Tag and the route's rule, for purges. */
  readonly tags: readonly string[];
  /** When it was generated, in milliseconds since 1970 (RFC 9111 section 4.2.3). */
  readonly dateMs: number;
  /** How long it is fresh, in seconds from `dateMs`, or from its receipt if `dateMs` is in the future. */
  readonly freshSeconds: number;
  /** How long after that it may be served stale while it re-renders (RFC 5861 section 3). */
  readonly staleWhileRevalidateSeconds: number;
  /** How long after `freshSeconds` it may be served stale if a render fails (RFC 5861 section 4). */
  readonly staleIfErrorSeconds: number;
}

/** The request fields that select a page, besides those of the key (RFC 9111 section 4.1). */
export interface Variants {
  /** Field names in lower case, sorted. */
  readonly vary: readonly string[];
}

/** The entry of a key: a page, or the names of the fields that complete the key. */
export type StoredEntry = StoredPage | Variants;

/** The right to render a page that other processes wait for. */
export interface Lease {
  /**
   * Ends the lease, whether or not a page was stored. Never rejects.
   *
   * @param unsharedMs - Given if the answer cannot be shared: for this time in milliseconds `lease`
   * returns `unshared` for this key (Varnish calls it hit-for-miss). A store without support for this
   * grants the lease to the next process that asks.
   */
  release(unsharedMs?: number): Promise<void>;
}

/**
 * A store that several processes share and ask after their own memory. Its failures must not cost an
 * answer: an operation that fails or takes too long is a miss, and is reported once through `onError`.
 */
export interface PageStore {
  /** Called once, before everything else. */
  open(context: {
    /** Part of every key: builds do not share pages, nor do servers with another `publicConfig`. */
    readonly buildId: string;
    /** The store calls this with purges of other processes. */
    readonly onPurge: (purge: Purge) => void;
    readonly onError: (error: SsrError) => void;
  }): void;
  /** The latest purge this process knows: read before a render begins, and passed to `set`. */
  version(): number;
  /** Never rejects. A page that was purged hard is a miss; one purged softly has `isPurged`. */
  get(
    key: string,
  ): Promise<{ readonly entry: StoredEntry; readonly isPurged: boolean } | undefined>;
  /**
   * Stores an entry unless there is a newer one. Never rejects.
   *
   * @param version - The `version()` from before the render began: later purges apply to the entry.
   * @param seconds - The lifetime of the entry, after which it can no longer be used.
   */
  set(key: string, entry: StoredEntry, version: number, seconds: number): Promise<void>;
  /** Deletes an entry. Never rejects. */
  delete(key: string): Promise<void>;
  /** Rejects with `NG_SSR_STORE_UNAVAILABLE` when other processes may not receive it. */
  purge(purge: Purge): Promise<void>;
  /**
   * Purges one path hard if any process may have a page of it: one that was passed to `set`, or is
   * rendered under a lease. From this call on, `get` returns no earlier page to this process. It is
   * called for every successful unsafe request (RFC 9111 section 4.4), whose paths are seldom pages:
   * paths without pages must leave no record. Rejects as `purge` does, which is called if this is missing.
   */
  invalidate?(path: string): Promise<void>;
  /**
   * Requests the right to render a page. Never rejects.
   *
   * @param path - The page's path, as {@link StoredPage.path} will be.
   * @returns `taken` if another process renders it; `unshared` if its answers cannot be shared, so that
   * processes must not wait for each other; undefined if the store cannot answer.
   */
  lease(key: string, path: string): Promise<Lease | 'taken' | 'unshared' | undefined>;
  /** Closes the store's connections. */
  close(): Promise<void>;
}
