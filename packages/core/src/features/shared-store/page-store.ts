import type { SsrError } from '../../errors.ts';
import type { StoredPage, Variants } from '../../pages/stored-page.ts';
import type { Lease } from '../../pages/tier.ts';
import type { Purge } from '../../purge.ts';

/** The entry of a key: a page, or the names of the headers that complete the key. */
export type StoredEntry = StoredPage | Variants;

/**
 * A store that several processes share. Each process looks in its own memory first. If the store fails or takes too long,
 * it is a miss: no request fails, and `onError` gets the first failure.
 */
export interface PageStore {
  /** Called once, before all other members. */
  open(context: {
    /** Part of a page's key: builds, and servers with different `withPublicConfig()`, share purges, but no pages. */
    readonly buildId: string;
    /** Call this for purges of other processes. */
    readonly onPurge: (purge: Purge) => void;
    readonly onError: (error: SsrError) => void;
    /** Whether `ng-ssr render` fills the store: no visitor waits, so time limits may be longer. */
    readonly isFilling?: boolean | undefined;
  }): void;
  /** The latest purge that this process knows. It is read before a render, and passed to `set`. */
  version(): number;
  /** A page after a hard purge is a miss; after a soft purge it has `isPurged`. Never rejects. */
  get(
    key: string,
  ): Promise<{ readonly entry: StoredEntry; readonly isPurged: boolean } | undefined>;
  /**
   * Stores an entry, unless there is a newer one. Never rejects.
   *
   * @param version - The `version()` from before the render began: later purges apply to the entry.
   * @param seconds - The lifetime of the entry, after which it can no longer be used.
   */
  set(key: string, entry: StoredEntry, version: number, seconds: number): Promise<void>;
  /** Deletes an entry. Never rejects. */
  delete(key: string): Promise<void>;
  /** Rejects with `NG_SSR_STORE_UNAVAILABLE` if other processes may not receive the purge. */
  purge(purge: Purge): Promise<void>;
  /**
   * Purges one path hard, if any process may have a page of it: passed to `set`, or being rendered under a lease. After
   * this call, `get` returns no earlier page to this process. It is called for every successful unsafe request (RFC 9111
   * section 4.4), so paths without pages must leave no record. Rejects as `purge` does, which is called if this is
   * missing.
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
