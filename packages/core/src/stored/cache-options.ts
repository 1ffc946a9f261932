import type { Rung } from '../render/render-options.ts';
import type { PageStore } from './page-store.ts';

/**
 * How the pages of some routes are stored, beside or in place of what the pages say themselves, and
 * what happens when they cannot be rendered in time.
 */
export interface RouteRule {
  /** `false`: these pages are never stored, whatever they say. */
  readonly store?: false | undefined;
  /** Seconds a browser may use a page. Default with `sMaxage`: 0. */
  readonly maxAge?: number | undefined;
  /**
   * Seconds this server, and caches between it and the browser, may use a page. It makes the route
   * shared: its pages are rendered from a request that has only what `vary` names.
   */
  readonly sMaxage?: number | undefined;
  /** Seconds behind that in which a page is answered while it is rendered anew (RFC 5861). */
  readonly staleWhileRevalidate?: number | undefined;
  /** Seconds behind that in which a page is answered when its render fails (RFC 5861). */
  readonly staleIfError?: number | undefined;
  /** Names to purge the pages by, beside those of their Cache-Tag. */
  readonly tags?: readonly string[] | undefined;
  /** In place of `render.deadlineMs`. */
  readonly deadlineMs?: number | undefined;
  /** In place of `render.rungs`. */
  readonly rungs?: readonly Rung[] | undefined;
  /** What the pages of a shared route depend on beside their path. Default: nothing. */
  readonly vary?:
    | {
        /** Query parameters, by name. Others are not part of the key, and the page does not see them. */
        readonly query?: readonly string[] | undefined;
        readonly cookies?: readonly string[] | undefined;
        /** Request fields. `accept-language` is matched to `cache.languages`. */
        readonly headers?: readonly string[] | undefined;
      }
    | undefined;
}

/** Options for stored pages. */
export interface CacheOptions {
  /** The bound for all stored pages, codings included. In bytes; default 256 MiB. */
  readonly maxBytes?: number | undefined;
  /**
   * The languages the application has, the first of them for everybody else: Accept-Language is
   * matched to them (RFC 4647 section 3.4), and pages see the match in its place. Default: as received.
   */
  readonly languages?: readonly string[] | undefined;
  /**
   * Query parameters that no page depends on, `*` at the end for any ending: they are not part of
   * the key and pages do not see them; redirects keep them. Default: those of campaigns (`utm_*`,
   * `gclid`, `fbclid` and their like).
   */
  readonly ignoredQuery?: readonly string[] | undefined;
  /** A store shared with other processes, behind this one's memory: `redisPageStore()`. */
  readonly store?: PageStore | undefined;
  /** Tells pages of this build from others' in a shared store. Default: made of the built files. */
  readonly buildId?: string | undefined;
  /** An endpoint for purges: POST with JSON `{ path | prefix | tag, hard? }`. Default: none. */
  readonly purgeEndpoint?:
    | {
        /** Where it is, `/_cache/purge` for example. */
        readonly path: string;
        /** What a request must carry as `Authorization: Bearer <token>`. At least 16 characters. */
        readonly token: string;
      }
    | undefined;
  /**
   * Whether a user's route that answers an unsafe request (POST, PUT, PATCH, DELETE, ...) with 2xx or
   * 3xx removes the stored pages of its path (RFC 9111 section 4.4). Default: true.
   */
  readonly invalidateOnUnsafeMethods?: boolean | undefined;
  /** Pages to render at start. Default: none. */
  readonly prewarm?: PrewarmOptions | undefined;
  /**
   * For pages whose scripts carry a nonce of Content-Security-Policy. Without it such pages are not
   * stored. The application is built with the placeholder as its nonce
   * (`<app-root ngCspNonce="...">`), and every answer gets a nonce of its own in its place.
   */
  readonly nonce?: NonceOptions | undefined;
}

/** Pages to render before anybody asks for them. */
export interface PrewarmOptions {
  /** Targets: `/products/1`. */
  readonly paths?: readonly string[] | undefined;
  /** A sitemap: a file's path, relative to the browser folder. */
  readonly sitemap?: string | undefined;
  /** The origin pages are rendered for: `https://shop.example`. */
  readonly origin: string;
  /** Request fields, for pages that depend on some. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Renders at a time. Default: 1. */
  readonly concurrency?: number | undefined;
  /** Whether `ready()` waits for it. Default: false. */
  readonly blocksReady?: boolean | undefined;
}

/** How a nonce comes into a stored page. */
export interface NonceOptions {
  /** What stands in the pages in its place. At least 8 characters of base64. */
  readonly placeholder: string;
  /** The Content-Security-Policy of these pages, with the placeholder where the nonce goes. */
  readonly policy: string;
}
