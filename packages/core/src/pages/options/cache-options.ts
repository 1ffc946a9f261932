import type { Fallback } from '../../render/fallbacks.ts';
import type { ContentEncoding } from '../../http/accept-encoding.ts';

/** How pages of a route are rendered and cached, and what happens if they are late. */
export interface RouteRuleOptions {
  /**
   * Requests that may render the page; others get `index.csr.html`. `'bots'` are crawlers; a function must be fast and
   * synchronous. Default: all.
   */
  readonly ssr?: false | 'bots' | ((request: Request) => boolean) | undefined;
  /** Turns caching off, whatever the page's Cache-Control says. Default: the page's Cache-Control. */
  readonly cache?: false | undefined;
  /** Seconds that browsers may cache the page. Default: 0 with `sMaxAge`, else the page's Cache-Control. */
  readonly maxAge?: number | undefined;
  /**
   * Seconds that this server and a CDN may cache the page. The route becomes shared: pages see only headers, cookies and query
   * parameters in `vary`. Default: the page's Cache-Control.
   */
  readonly sMaxAge?: number | undefined;
  /**
   * The page is fresh as long as its API calls (`withCalls()`), at most for `sMaxAge`, and the route becomes shared.
   * Default: none.
   */
  readonly freshness?: 'calls' | undefined;
  /** Seconds after `sMaxAge` in which the stale page is sent while a new one renders. Default: none. */
  readonly staleWhileRevalidate?: number | undefined;
  /** Seconds after `sMaxAge` in which the stale page is sent if a render fails. Default: none. */
  readonly staleIfError?: number | undefined;
  /** Tags to purge by, besides the page's Cache-Tag. Default: none. */
  readonly tags?: readonly string[] | undefined;
  /** How long a request waits before it gets a fallback. Default: `render.maxWaitMs`. */
  readonly maxWaitMs?: number | undefined;
  /** Allowed fallbacks. Default: `render.fallbacks`. */
  readonly fallbacks?: readonly Fallback[] | undefined;
  /** Parts of the request that change pages of a shared route; pages do not see others. Default: none. */
  readonly vary?:
    | {
        /** Names of query parameters. Default: none. */
        readonly query?: readonly string[] | undefined;
        /** Names of cookies. Default: none. */
        readonly cookies?: readonly string[] | undefined;
        /** Names of headers. `accept-language` is matched to `cache.languages`. Default: none. */
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
  /** Memory for pages with their encodings. Default: 256 MiB. */
  readonly maxBytes?: number | undefined;
  /** Each page is encoded in the background, at its second hit; `[]` turns it off. Default: `files.encodings`. */
  readonly encodings?: readonly ContentEncoding[] | undefined;
  /**
   * Languages of the application, the default first. Pages see the best match instead of Accept-Language. Default:
   * none.
   */
  readonly languages?: readonly string[] | undefined;
  /**
   * Query parameters that pages do not see; redirects keep them. `utm_*` matches any ending. Default: `utm_*`, `gclid`,
   * `fbclid` and others.
   */
  readonly ignoredQuery?: readonly string[] | undefined;
  /** A successful POST, PUT, PATCH or DELETE to your routes removes the cached pages of its path. Default: true. */
  readonly invalidateOnUnsafeMethods?: boolean | undefined;
}
