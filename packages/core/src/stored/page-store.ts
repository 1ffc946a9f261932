import type { SsrError } from '../errors.ts';
import type { HeaderList } from '../http/header-list.ts';

/** A rendered page as it is kept: plain data, so that it can leave the process. */
export interface StoredPage {
  readonly status: number;
  /** The response's own fields; those of the connection, Age and Content-Length are left out. */
  readonly headers: HeaderList;
  readonly body: Uint8Array;
  /** Where in the body each answer's nonce goes, in ascending order; only in a shared store. */
  readonly nonceAt?: readonly number[] | undefined;
  /** The path as Angular's router reads it, the same for all spellings, which purges compare with. */
  readonly path: string;
  /** From Cache-Tag and the route's rule, for purges. */
  readonly tags: readonly string[];
  /** When it was generated, in milliseconds since 1970 (RFC 9111 section 4.2.3). */
  readonly dateMs: number;
  /** How long it is fresh, in seconds from `dateMs`, or from its receipt where that is later. */
  readonly freshSeconds: number;
  /** How long it may be used behind that while it is rendered anew (RFC 5861 section 3). */
  readonly staleWhileRevalidateSeconds: number;
  /** How long it may be used behind that when a render fails (RFC 5861 section 4). */
  readonly staleIfErrorSeconds: number;
}

/** Says which request fields, beside those of the key, a page was chosen by (RFC 9111 section 4.1). */
export interface Variants {
  /** Field names in lower case, sorted. */
  readonly vary: readonly string[];
}

/** What a key leads to: a page, or the names of the fields that complete the key. */
export type StoredEntry = StoredPage | Variants;

/** Which pages are out of date. Exactly one of `path`, `prefix` and `tag` is given. */
export interface Purge {
  /** One path, with all its queries and variants. */
  readonly path?: string | undefined;
  /** Every path that begins so. */
  readonly prefix?: string | undefined;
  /** Every page with this tag. */
  readonly tag?: string | undefined;
  /**
   * Whether the pages are gone at once. Default: they are stale, and are answered while they are
   * rendered anew as far as their own stale-while-revalidate and stale-if-error allow.
   */
  readonly hard?: boolean | undefined;
}

/** The right to render a page that other machines wait for. */
export interface Lease {
  /**
   * Ends it, whether or not a page was stored. Never rejects.
   *
   * @param unsharedMs - Given when the answer is for one reader alone: the time in milliseconds in which
   * `lease` says `unshared` for this key (Varnish calls it hit-for-miss). A store without this gives
   * the lease to the next process that asks.
   */
  release(unsharedMs?: number): Promise<void>;
}

/**
 * A store that several processes share, behind the memory of each. Nothing it does may cost an
 * answer: whatever fails or takes too long is a miss, and is reported once through `onError`.
 */
export interface PageStore {
  /** Called once, before everything else. */
  open(context: {
    /** Pages of another build are not this one's: part of every key. */
    readonly buildId: string;
    /** To be called with purges of other processes. */
    readonly onPurge: (purge: Purge) => void;
    readonly onError: (error: SsrError) => void;
  }): void;
  /** The latest purge this process knows of: read when a render begins, given to `set`. */
  version(): number;
  /** Never rejects. A page that was purged hard is a miss, one purged softly is marked so. */
  get(
    key: string,
  ): Promise<{ readonly entry: StoredEntry; readonly isPurged: boolean } | undefined>;
  /**
   * Keeps an entry unless a newer one is there. Never rejects.
   *
   * @param version - What `version()` said before the render began: a purge since then counts.
   * @param seconds - After this long the entry is of no use to anybody.
   */
  set(key: string, entry: StoredEntry, version: number, seconds: number): Promise<void>;
  /** Forgets an entry. Never rejects. */
  delete(key: string): Promise<void>;
  /** Rejects with `NG_SSR_STORE_UNAVAILABLE` when other processes may not hear of it. */
  purge(purge: Purge): Promise<void>;
  /**
   * Purges one path hard if any process may have a page of it: one that was given to `set`, or is
   * rendered under a lease. From this call on, `get` gives this process none of before. It is called
   * for every successful unsafe request (RFC 9111 section 4.4), whose paths are seldom pages: nothing
   * may stay of those that are none. Rejects as `purge` does, which is called where this is missing.
   */
  invalidate?(path: string): Promise<void>;
  /**
   * Asks to be the one that renders a page. Never rejects.
   *
   * @param path - The page's path, as {@link StoredPage.path} will be.
   * @returns `taken` when another process renders it; `unshared` when each of its answers is for one
   * reader, so a process must not wait for another's; undefined when the store cannot answer.
   */
  lease(key: string, path: string): Promise<Lease | 'taken' | 'unshared' | undefined>;
  /** Ends its connections. */
  close(): Promise<void>;
}
