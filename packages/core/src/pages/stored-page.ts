/** A stored page: plain data, so that it can leave the process. */
export interface StoredPage {
  readonly status: number;
  /**
   * The response's own headers, `[name, value, name, value, ...]`; those of the connection, Age and
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

/** The request headers that select a page, besides those of the key (RFC 9111 section 4.1). */
export interface Variants {
  /** Header names in lower case, sorted. */
  readonly vary: readonly string[];
}
