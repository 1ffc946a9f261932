/** A cached page, as plain data. */
export interface StoredPage {
  readonly status: number;
  /** Response headers as `[name, value, name, value, ...]`, without connection headers, Age and Content-Length. */
  readonly headers: readonly string[];
  readonly body: Uint8Array;
  /** The body in Brotli (RFC 7932), if the server encodes such pages. Only in a shared store, which may keep it alone. */
  readonly brotli?: Uint8Array | undefined;
  /** Offsets in the body where each response puts its nonce, ascending. Only in a shared store. */
  readonly nonceAt?: readonly number[] | undefined;
  /** The path as Angular's router reads it, the same for all spellings. Purges compare it. */
  readonly path: string;
  /** Tags from Cache-Tag and the route rule, for purges. */
  readonly tags: readonly string[];
  /** When it was rendered, in milliseconds since 1970 (RFC 9111 section 4.2.3). */
  readonly dateMs: number;
  /** Seconds for which it is fresh, after `dateMs`, or after its receipt if `dateMs` is in the future. */
  readonly freshSeconds: number;
  /** Seconds after that in which it is served while it renders again (RFC 5861 section 3). */
  readonly staleWhileRevalidateSeconds: number;
  /** Seconds after `freshSeconds` in which it is served if a render fails (RFC 5861 section 4). */
  readonly staleIfErrorSeconds: number;
}

/** The request headers that select a page, besides those in the key (RFC 9111 section 4.1). */
export interface Variants {
  /** Header names in lower case, sorted. */
  readonly vary: readonly string[];
}
