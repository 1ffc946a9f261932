import type { StoredPages } from '@ng-ssr/core';
import type { SsrHandler } from '@ng-ssr/core/adapter';
import type { Drainable } from '@ng-ssr/core/shutdown';

/**
 * The lifecycle of a middleware in an existing server: its cache, its start and its shutdown.
 * `shutDownOnSignals(server, ssr)` calls `drain` and `close` on SIGTERM and SIGINT; without it, call them yourself.
 *
 * @example
 * ```ts
 * const ssr = ssrMiddleware({ engine: appEngine(), allowedHosts: ['shop.example'] });
 * await ssr.ready();
 * shutDownOnSignals(app.listen(4000), ssr, { timeoutMs: 10_000 });
 * await ssr.cache.purge({ tag: 'products' });
 * ```
 */
export interface SsrLifecycle extends Drainable {
  /** Purges cached pages with `purge({ path | prefix | tag, hard? })`, and lists them with `inspect()`. */
  readonly cache: StoredPages;
  /**
   * Starts background work, as the first request does: render threads, encodings and features. Requests need not wait
   * for it.
   *
   * @returns A promise that resolves when the first render thread has started and all built files are encoded.
   */
  ready(): Promise<void>;
}

/** The lifecycle of a middleware over a handler. */
export function toLifecycle(handler: SsrHandler): SsrLifecycle {
  handler.threads?.refuse();
  return {
    cache: handler.cache,
    ready: () => handler.ready(),
    drain: () => handler.drain(),
    close: () => handler.close(),
  };
}
