import type { Fallback } from '../../render/fallbacks.ts';
import type { ContentEncoding } from '../../http/accept-encoding.ts';

/** How pages of a route are rendered and cached, and what happens if they are late. */
export interface RouteRuleOptions {
  /**
   * Which requests may render the page; other requests get `index.csr.html`. `false`: none. `'bots'`: crawlers, by
   * User-Agent. A function must be fast and synchronous. Default: all.
   */
  readonly ssr?: false | 'bots' | ((request: Request) => boolean) | undefined;
  /** `false` turns off caching, whatever the page's Cache-Control says. Default: the page decides. */
  readonly cache?: false | undefined;
  /** Seconds for which browsers may cache the page. Default: 0 with `sMaxAge`, else the page's Cache-Control. */
  readonly maxAge?: number | undefined;
  /**
   * Seconds for which this server and a CDN may cache the page. The route becomes shared: its pages see only the headers,
   * cookies and query parameters in `vary`. Default: the page's Cache-Control.
   */
  readonly sMaxAge?: number | undefined;
  /**
   * `'calls'`: a page is fresh as long as all its API calls, and at most for `sMaxAge`. The route becomes shared. Needs
   * `withCalls()`. Default: off.
   */
  readonly freshness?: 'calls' | undefined;
  /** Seconds after `sMaxAge` in which the stale page is sent while a new one renders (RFC 5861). Default: none. */
  readonly staleWhileRevalidate?: number | undefined;
  /** Seconds after `sMaxAge` in which the stale page is sent if its render fails (RFC 5861). Default: none. */
  readonly staleIfError?: number | undefined;
  /** Tags to purge the pages by, in addition to their Cache-Tag header. Default: none. */
  readonly tags?: readonly string[] | undefined;
  /** Milliseconds a request waits for its page before it gets a fallback. Default: `render.maxWaitMs`. */
  readonly maxWaitMs?: number | undefined;
  /** Allowed fallbacks. Default: `render.fallbacks`. */
  readonly fallbacks?: readonly Fallback[] | undefined;
  /** What changes the pages of a shared route, besides the path. Default: nothing. */
  readonly vary?:
    | {
        /** Names of query parameters. Pages do not see others. Default: none. */
        readonly query?: readonly string[] | undefined;
        /** Names of cookies. Pages do not see others. Default: none. */
        readonly cookies?: readonly string[] | undefined;
        /** Names of request headers. `accept-language` is matched to `cache.languages`. Default: none. */
        readonly headers?: readonly string[] | undefined;
      }
    | undefined;
}

/** The rule of a route. One whose pages the browser renders has no other option. */
export type RouteRule = RouteRuleOptions &
  (
    | { readonly ssr?: Exclude<RouteRuleOptions['ssr'], false> }
    | ({ readonly ssr: false } & {
        readonly [Name in Exclude<keyof RouteRuleOptions, 'ssr'>]?: undefined;
      })
  );

/** Options of the page cache. */
export interface CacheOptions {
  /** Memory for cached pages with their encodings, in bytes. Default: 256 MiB. */
  readonly maxBytes?: number | undefined;
  /**
   * Encodings of cached pages. Each page is encoded in the background, at its second hit. `[]` turns it off. Default:
   * `files.encodings`.
   */
  readonly encodings?: readonly ContentEncoding[] | undefined;
  /**
   * Languages of the application, the default first. Pages see the best match instead of Accept-Language (RFC 4647 section
   * 3.4). Default: Accept-Language stays as it is.
   */
  readonly languages?: readonly string[] | undefined;
  /**
   * Query parameters that pages do not use; `utm_*` matches any ending. Pages do not see them; redirects keep them.
   * Default: campaign parameters such as `utm_*`, `gclid` and `fbclid`.
   */
  readonly ignoredQuery?: readonly string[] | undefined;
  /**
   * After a successful POST, PUT, PATCH or DELETE to one of your routes, removes the cached pages of its path (RFC 9111
   * section 4.4). Default: true.
   */
  readonly invalidateOnUnsafeMethods?: boolean | undefined;
}
