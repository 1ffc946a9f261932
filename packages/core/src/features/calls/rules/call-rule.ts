/** What becomes of the calls to some URLs that pages make with `HttpClient` or `fetch` while they render. */
export interface CallRule {
  /**
   * Whether calls go to the server's own routes, through its middleware, without a socket. For URLs of the
   * page's own origin, and for others that lead to this server, such as `http://localhost:4000/**`.
   * Default: false.
   */
  readonly inProcess?: boolean | undefined;
  /**
   * Fields of the request that causes the render, which the call gets unless it has them itself: `cookie`,
   * `accept-language`. Cookie, Authorization and any other field that may tell who the visitor is are only for calls that
   * ask for them: `credentials: 'include'` of `fetch`, `withCredentials: true` of HttpClient. The page of a shared route has
   * only those that its rule's `vary` names. A page with a call that got a Cookie or an Authorization is not stored, unless
   * the route is shared. A redirect gets those that the rule of its own URL forwards too. Default: none.
   */
  readonly forward?: readonly string[] | undefined;
  /** The longest time of a call, its content included, in milliseconds. Default: `render.timeoutMs`. */
  readonly timeoutMs?: number | undefined;
  /**
   * How often a GET, HEAD or OPTIONS is sent again, within `timeoutMs`, if the connection fails or the status is
   * 502, 503 or 504. Default: 0.
   */
  readonly retries?: number | undefined;
  /**
   * How calls are cached (RFC 9111): `'shared'` as their Cache-Control says; an object sets lifetimes for responses
   * that state none, and what calls vary on. Calls with Cookie or Authorization are stored only if `vary` names
   * these fields, or the cookies that are sent. Default: not at all.
   */
  readonly cache?: 'shared' | false | CallCacheRule | undefined;
  /**
   * Whether equal GET and HEAD calls that are under way, in any render, are one. Calls with Cookie or Authorization
   * never are, except as `cache` says, nor are those whose response is `private` or `no-store` or has `Set-Cookie` or
   * `Vary: *`. Default: true with `cache`, else false.
   */
  readonly dedupe?: boolean | undefined;
  /** Tags to purge stored calls, and the pages made of them, by; in addition to those of the response. Default: none. */
  readonly tags?: readonly string[] | ((url: URL) => readonly string[]) | undefined;
  /** A longer content fails the call. In bytes; default 10 MiB. */
  readonly maxBytes?: number | undefined;
  /**
   * The most calls under way to one origin, until the API has sent the whole content. Calls of a page that another call waits
   * for are not counted. Default: no limit.
   */
  readonly concurrency?: number | undefined;
  /** The most calls that wait for a place, with `concurrency`; others fail at once. Default: 100. */
  readonly maxQueued?: number | undefined;
}

/**
 * Lifetimes of successful responses (200, 203, 204) that state none, in seconds, and what calls vary on. Others, such as 404
 * and redirects, are stored only as they state themselves.
 */
export interface CallCacheRule {
  /** Seconds for which a successful response is fresh. Default: 0. */
  readonly sMaxAge?: number | undefined;
  /** Seconds after that in which it is used while a new one is fetched (RFC 5861). Default: 0. */
  readonly staleWhileRevalidate?: number | undefined;
  /** Seconds after `sMaxAge` in which it is used if the API fails (RFC 5861). Default: 0. */
  readonly staleIfError?: number | undefined;
  /**
   * Request fields, and cookies, of which each value has a response of its own, besides the response's Vary.
   * Default: none.
   */
  readonly vary?:
    | {
        /** Names of request fields. Default: none. */
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

/** What is common to all calls. */
export interface CallsOptions {
  /** Bounds the memory of stored calls. In bytes; default 64 MiB. Under `ng serve` no calls are stored. */
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
