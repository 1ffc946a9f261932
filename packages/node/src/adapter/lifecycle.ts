import type { SsrHandler, StoredPages } from '@ng-ssr/core';
import type { Drainable } from '@ng-ssr/core/shutdown';

/**
 * What a middleware has for the server that it is put into: `shutDownOnSignals(server, ssr)` tells it
 * of the end.
 */
export interface SsrLifecycle extends Drainable {
  /** Stored pages: to purge and to look at. */
  readonly cache: StoredPages;
  /**
   * Starts what runs in the background, as the first request would. Resolves when the first render
   * thread is there and every built file has its content codings; requests need not wait for it.
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
