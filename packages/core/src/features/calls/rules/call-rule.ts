/** How to send API calls to some URLs, made with `HttpClient` or `fetch` during a render. */
export interface CallRule {
  /**
   * Sends calls to your own routes through your middleware, without a socket. For the page's own origin, or a URL of this
   * server such as `http://localhost:4000/**`. Default: false.
   */
  readonly inProcess?: boolean | undefined;
  /**
   * Headers to copy from the visitor's request, such as `accept-language`. Only calls with `credentials: 'include'` or
   * `withCredentials: true` get `cookie`, `authorization` and other personal headers. Pages with them are not cached,
   * except in shared routes. Default: none.
   */
  readonly forward?: readonly string[] | undefined;
  /** Milliseconds for a call, including its body. Default: `render.timeoutMs`. */
  readonly timeoutMs?: number | undefined;
  /**
   * Retries of a GET, HEAD or OPTIONS within `timeoutMs`, after a connection error or status 502, 503 or 504. Default: 0.
   */
  readonly retries?: number | undefined;
  /**
   * Caches responses (RFC 9111). `'shared'` uses their Cache-Control; an object sets lifetimes for responses without one.
   * Calls with Cookie or Authorization are cached only if `vary` names them. Default: off.
   */
  readonly cache?: 'shared' | false | CallCacheRule | undefined;
  /**
   * Equal GET and HEAD calls at the same time share one request, across renders. Calls with Cookie or Authorization, and
   * responses that are `private` or `no-store`, are not shared. Default: true with `cache`, else false.
   */
  readonly dedupe?: boolean | undefined;
  /** Tags to purge cached responses and their pages by, in addition to Cache-Tag headers. Default: none. */
  readonly tags?: readonly string[] | ((url: URL) => readonly string[]) | undefined;
  /** A call fails if its response body has more bytes. Default: 10 MiB. */
  readonly maxBytes?: number | undefined;
  /** Maximum number of concurrent calls to one origin. Default: no limit. */
  readonly concurrency?: number | undefined;
  /** Maximum number of calls that wait because of `concurrency`. Further calls fail at once. Default: 100. */
  readonly maxQueued?: number | undefined;
}

/**
 * Lifetimes in seconds for successful responses (200, 203, 204) without their own. Other responses are cached only by
 * their own headers.
 */
export interface CallCacheRule {
  /** Seconds for which a successful response is fresh. Default: 0. */
  readonly sMaxAge?: number | undefined;
  /** Seconds after `sMaxAge` in which a stale response is used while it is fetched again (RFC 5861). Default: 0. */
  readonly staleWhileRevalidate?: number | undefined;
  /** Seconds after `sMaxAge` in which a stale response is used if the API fails (RFC 5861). Default: 0. */
  readonly staleIfError?: number | undefined;
  /** Request headers and cookies that change the response, in addition to its Vary. Default: none. */
  readonly vary?:
    | {
        /** Names of request headers. Default: none. */
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
  /** Memory for cached API responses, in bytes. Under `ng serve` nothing is cached. Default: 64 MiB. */
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
