import type { Fallback } from '../../render/fallbacks.ts';
import type { ContentEncoding } from '../../http/accept-encoding.ts';

/**
 * How a route's pages are stored, in addition to or in place of their own Cache-Control, and what
 * happens when they cannot be rendered in time.
 */
export interface RouteRule {
  /**
   * Which requests may cause a render. All others get the build's CSR page, which the browser renders into, with
   * status 200. `false`: none, and no other field may be set. `'bots'`: those of crawlers, recognised by User-Agent.
   * A function gets the request as the engine would; it must be cheap, and synchronous. If it throws, the page is
   * rendered, and `onError` gets one `NG_SSR_RENDER_RULE_FAILED`. A page that is stored and fresh is the answer to
   * all requests. Default: all. Without an index.csr.html in the build it has no effect (`NG_SSR_CSR_PAGE_MISSING`).
   */
  readonly render?: false | 'bots' | ((request: Request) => boolean) | undefined;
  /** `false`: these pages are never stored, whatever their Cache-Control. Default: as that says. */
  readonly cache?: false | undefined;
  /** Seconds a browser may use a page. Default: 0 with `sMaxAge`, else as its Cache-Control says. */
  readonly maxAge?: number | undefined;
  /**
   * Seconds this server, and caches between it and the browser, may use a page. It makes the route
   * shared: its pages are rendered from a request that carries only what `vary` names. Default: as the page's
   * Cache-Control says.
   */
  readonly sMaxAge?: number | undefined;
  /**
   * `'calls'`: a page is fresh as long as each of the calls that it is made of, but no longer than `sMaxAge`. It makes
   * the route shared too. A page with a call that failed, that may not be stored or that was stale itself is not stored.
   * A page without calls is fresh for `sMaxAge`, or as its Cache-Control says. Needs the feature `withCalls()`. Default: off.
   */
  readonly freshness?: 'calls' | undefined;
  /** Seconds after `sMaxAge` in which the stale page is served while it re-renders (RFC 5861). Default: none. */
  readonly staleWhileRevalidate?: number | undefined;
  /** Seconds after `sMaxAge` in which the stale page is served if its render fails (RFC 5861). Default: none. */
  readonly staleIfError?: number | undefined;
  /** Tags to purge the pages by, in addition to those of their Cache-Tag. Default: none. */
  readonly tags?: readonly string[] | undefined;
  /** How long a request waits for its page before it gets the next fallback. Default: `render.deadlineMs`. */
  readonly deadlineMs?: number | undefined;
  /** The fallbacks that may be used. Default: `render.fallbacks`. */
  readonly fallbacks?: readonly Fallback[] | undefined;
  /** What the pages of a shared route depend on besides their path. Default: nothing. */
  readonly vary?:
    | {
        /** Names of query parameters. Others are left out of the key and hidden from the page. Default: none. */
        readonly query?: readonly string[] | undefined;
        /** Names of cookies. Others are hidden from the page. Default: none. */
        readonly cookies?: readonly string[] | undefined;
        /** Request fields. `accept-language` is matched to `cache.languages`. Default: none. */
        readonly headers?: readonly string[] | undefined;
      }
    | undefined;
}

/** Options for stored pages. */
export interface CacheOptions {
  /** Bounds the memory of all stored pages, encodings included. In bytes; default 256 MiB. */
  readonly maxBytes?: number | undefined;
  /**
   * The content encodings of stored pages, made in the background at the second hit. Default: those of
   * `files`; `[]` for none. `render.encodings` sets those of pages on their way to the store.
   */
  readonly encodings?: readonly ContentEncoding[] | undefined;
  /**
   * The application's languages, the default first: Accept-Language is matched to them (RFC 4647
   * section 3.4), and pages see the match in its place. Default: pages see the field as received.
   */
  readonly languages?: readonly string[] | undefined;
  /**
   * Query parameters that no page depends on; a trailing `*` matches any ending. They are left out of
   * the key and hidden from pages; redirects keep them. Default: campaign parameters (`utm_*`, `gclid`,
   * `fbclid` and the like).
   */
  readonly ignoredQuery?: readonly string[] | undefined;
  /**
   * Whether a user's route that answers an unsafe request (POST, PUT, PATCH, DELETE, ...) with 2xx or
   * 3xx removes the stored pages of its path (RFC 9111 section 4.4). Default: true.
   */
  readonly invalidateOnUnsafeMethods?: boolean | undefined;
}
