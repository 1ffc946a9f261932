import { digestOf, pathOfKey } from '@ng-ssr/core/store';

/** The names of all keys and channels of a build in Redis. */
export class Keys {
  readonly #base: string;
  /** The key of the latest purge's version. */
  readonly latestPurge: string;
  /** The key of the purges: a sorted set of targets by version. */
  readonly purges: string;
  /** The channel of purges. Channels, unlike keys, span all databases, so it contains the number. */
  readonly purgeChannel: string;

  constructor(prefix: string, buildId: string, database: number) {
    this.#base = `${prefix}:${buildId}`;
    this.latestPurge = `${this.#base}:purges:latest`;
    this.purges = `${this.#base}:purges`;
    this.purgeChannel = `${this.#base}:purges:${database}`;
  }

  page(key: string): string {
    return `${this.#base}:page:${digestOf(key)}`;
  }

  /**
   * The sorted set of a path's pages with a query or variant, by the time they were stored; undefined
   * for the page with neither.
   */
  pagesOfPath(key: string): string | undefined {
    const path = pathOfKey(key);
    return path === undefined ? undefined : `${this.#base}:pages:${digestOf(path)}`;
  }

  /**
   * Exists while any process may have or render a page of this route path: without it, an unsafe
   * request to the path has nothing to invalidate.
   */
  path(path: string): string {
    return `${this.#base}:path:${digestOf(path)}`;
  }

  lease(key: string): string {
    return `${this.#base}:lease:${digestOf(key)}`;
  }
}
