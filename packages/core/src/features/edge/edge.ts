/**
 * A page that a CDN may keep. Its times are in seconds after it was rendered: the header Age says how many have passed.
 */
export interface EdgePage {
  /**
   * Tags for purges: its own, one for its path and one for each folder above. Visible ASCII without commas, at most 128
   * characters each.
   */
  readonly tags: readonly string[];
  /** Request headers that select the page, in lower case, besides Accept-Encoding. Never `cookie` or `authorization`. */
  readonly vary: readonly string[];
  readonly freshSeconds: number;
  /** Seconds after that in which the CDN may serve it while it fetches it again (RFC 5861 section 3). */
  readonly staleWhileRevalidateSeconds: number;
  /** Seconds after `freshSeconds` in which the CDN may serve it if this server fails (RFC 5861 section 4). */
  readonly staleIfErrorSeconds: number;
}

/**
 * A CDN or another cache in front of this server: `varnishEdge()`, `fastlyEdge()`, `cloudflareEdge()` or `netlifyEdge()`
 * of `@ng-ssr/edge`.
 */
export interface Edge {
  /** The name in messages and metrics: `Varnish`. */
  readonly name: string;
  /**
   * Milliseconds after which each purge is sent again, for responses that were on their way to the CDN; 0 turns it off.
   */
  readonly settleMs: number;
  /**
   * Returns the headers that make the CDN keep a page, as `[name, value, name, value, ...]`: its tags, and a cache control
   * for the CDN only (RFC 9213).
   *
   * @returns undefined if the edge cannot keep the page, or could not purge it.
   */
  headersOf(page: EdgePage): readonly string[] | undefined;
  /**
   * Its options without a value, such as `fastlyEdge.token`. A server with a build rejects them; during `ng build` the CDN
   * is left out instead.
   */
  readonly missingOptions?: readonly string[] | undefined;
  /** Headers of a response that the CDN must not keep, whatever its Cache-Control. */
  readonly noStoreHeaders: readonly string[];
  /**
   * Purges all pages with one of these tags. Called once at a time.
   *
   * @param isSoft - Whether the pages may be served stale while they are fetched again.
   * @returns resolves when the edge has confirmed it, and rejects when it has not, after retries within bounds.
   */
  purge(tags: readonly string[], isSoft: boolean): Promise<void>;
}
