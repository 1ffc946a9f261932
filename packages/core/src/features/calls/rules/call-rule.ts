/** How to send API calls to some URLs, made with `HttpClient` or `fetch` during a render. */
export interface CallRule {
  /**
   * Calls your own routes, through your middleware, without a socket, for the page's origin or a URL such as
   * `http://localhost:4000/**`. Default: false.
   */
  readonly inProcess?: boolean | undefined;
  /**
   * Headers to copy from the visitor's request, such as `accept-language`. Only calls with `credentials: 'include'` or
   * `withCredentials: true` get `cookie` and other personal headers; their pages are cached only in shared routes. Default: none.
   */
  readonly forward?: readonly string[] | undefined;
  /** Time for a call with its body. Default: `render.timeoutMs`. */
  readonly timeoutMs?: number | undefined;
  /** Retries of GET, HEAD and OPTIONS after a connection error, 502, 503 or 504, within `timeoutMs`. Default: 0. */
  readonly retries?: number | undefined;
  /**
   * `'shared'` caches responses by their Cache-Control; an object sets lifetimes for responses without one. Calls with
   * Cookie or Authorization are cached only if `vary` names them. Default: off.
   */
  readonly cache?: 'shared' | false | CallCacheRule | undefined;
  /**
   * Equal concurrent GET and HEAD calls share a request, unless they have credentials or the response is `private` or
   * `no-store`. Default: true with `cache`, else false.
   */
  readonly dedupe?: boolean | undefined;
  /** Tags to purge responses and their pages by, besides Cache-Tag. Default: none. */
  readonly tags?: readonly string[] | ((url: URL) => readonly string[]) | undefined;
  /** A call with a larger response body fails. Default: 10 MiB. */
  readonly maxBytes?: number | undefined;
  /** Maximum concurrent calls to one origin. Default: no limit. */
  readonly concurrency?: number | undefined;
  /** Maximum calls that wait for `concurrency`; further calls fail at once. Default: 100. */
  readonly maxQueued?: number | undefined;
}

/**
 * Lifetimes in seconds for successful responses (200, 203, 204) without their own. Other responses are cached only by
 * their own headers.
 */
export interface CallCacheRule {
  /** Seconds that a successful response is fresh. Default: 0. */
  readonly sMaxAge?: number | undefined;
  /** Seconds after `sMaxAge` in which the stale response is used during a new call (RFC 5861). Default: 0. */
  readonly staleWhileRevalidate?: number | undefined;
  /** Seconds after `sMaxAge` in which the stale response is used if the API fails (RFC 5861). Default: 0. */
  readonly staleIfError?: number | undefined;
  /** Request headers and cookies that change the response, besides its Vary. Default: none. */
  readonly vary?:
    | {
        /** Names of headers. Default: none. */
        readonly headers?: readonly string[] | undefined;
        /** Names of cookies. Default: none. */
        readonly cookies?: readonly string[] | undefined;
      }
    | undefined;
}

/**
 * Rules by URL: `'/api/**'` for the page's own origin, `'https://cms.example/**'` for another, `'**'` for all. The most
 * specific rule applies.
 */
export type CallRules = Readonly<Record<string, CallRule>>;

/** Options for all API calls. */
export interface CallsOptions {
  /** Memory for cached responses; under `ng serve` none. Default: 64 MiB. */
  readonly maxBytes?: number | undefined;
}

type Filled<Options> = { readonly [name in keyof Options]-?: NonNullable<Options[name]> };

/** A rule with its defaults; `forward` is in lower case. */
export interface ResolvedCallRule extends Omit<Filled<CallRule>, 'cache' | 'timeoutMs'> {
  /** As it is written, for messages. */
  readonly pattern: string;
  readonly timeoutMs: number | undefined;
  readonly cache: CallCacheRule | undefined;
}
