import type { Purge } from '../purge.ts';

/** A cache in front of the server that keeps its stored pages: purges reach it last, so that it gets no old page again. */
export interface DownstreamCache {
  /** As the report of a purge names it. */
  readonly kind: 'edge';
  /**
   * @param purge - Its path or prefix is that of routes.
   * @param done - What has been purged before, for the error.
   * @returns resolves when the cache has confirmed it.
   */
  purge(purge: Purge, done: string): Promise<void>;
  /** Purges the page of a path that has changed, if the cache may have it. Must not throw. */
  invalidate(path: string): void;
}
