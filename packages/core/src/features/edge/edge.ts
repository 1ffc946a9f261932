/** A page that an edge may keep. Its times are seconds from its generation on: the Age header says how many have passed. */
export interface EdgePage {
  /**
   * What purges it: its own tags, one of its path and one of each folder above. Visible ASCII without commas, at
   * most 128 characters each.
   */
  readonly tags: readonly string[];
  /** The request headers that select it, in lower case, besides Accept-Encoding. Never `cookie` or `authorization`. */
  readonly vary: readonly string[];
  readonly freshSeconds: number;
  /** How long after that it may be served stale while it is fetched again (RFC 5861 section 3). */
  readonly staleWhileRevalidateSeconds: number;
  /** How long after `freshSeconds` it may be served stale if this server fails (RFC 5861 section 4). */
  readonly staleIfErrorSeconds: number;
}

/**
 * A CDN, or another cache that requests reach before this server, which keeps the pages that this server stores:
 * `varnishEdge()`, `fastlyEdge()`, `cloudflareEdge()` or `netlifyEdge()` of `@ng-ssr/edge`.
 */
export interface Edge {
  /** For messages and metrics: `Varnish`. */
  readonly name: string;
  /**
   * How long after a purge the same purge is sent once more, in milliseconds; 0 for never. An answer that left this
   * server before the first purge must have arrived at the edge by then.
   */
  readonly settleMs: number;
  /**
   * The headers that have the edge keep a page, `[name, value, name, value, ...]`: its tags, and a cache control for
   * the edge alone (RFC 9213).
   *
   * @returns undefined if the edge cannot keep the page, or could not purge it.
   */
  headersOf(page: EdgePage): readonly string[] | undefined;
  /**
   * Its options without a value, such as `fastlyEdge.token`. A server with a build refuses them; while `ng build` runs the
   * server, the variable with a secret may not be set, and the edge is left out.
   */
  readonly missingOptions?: readonly string[] | undefined;
  /** The headers of an answer that the edge must not keep, whatever its Cache-Control. */
  readonly noStoreHeaders: readonly string[];
  /**
   * Purges all pages that have one of these tags. Called once at a time.
   *
   * @param isSoft - Whether the pages may be served stale while they are fetched again.
   * @returns resolves when the edge has confirmed it, and rejects when it has not, after retries within bounds.
   */
  purge(tags: readonly string[], isSoft: boolean): Promise<void>;
}
