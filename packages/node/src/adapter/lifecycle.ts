import type { StoredPages } from '@ng-ssr/core';
import type { SsrHandler } from '@ng-ssr/core/adapter';
import type { Drainable } from '@ng-ssr/core/shutdown';

/**
 * The lifecycle of a middleware in an existing server; `shutDownOnSignals(server, ssr)` calls `drain`
 * and `close`.
 */
export interface SsrLifecycle extends Drainable {
  /** Purges and inspects stored pages. */
  readonly cache: StoredPages;
  /**
   * Starts background work, as the first request would. Resolves when the first render thread has
   * started and every built file has its content encodings; requests need not wait for it.
   */
  ready(): Promise<void>;
}

/** The lifecycle of a middleware over a handler. */
export function toLifecycle(handler: SsrHandler): SsrLifecycle {
  return {
    cache: handler.cache,
    ready: () => handler.ready(),
    drain: () => handler.drain(),
    close: () => handler.close(),
  };
}
