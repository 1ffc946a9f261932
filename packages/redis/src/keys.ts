import { createHash } from 'node:crypto';

/** The names of everything a build has in Redis. */
export class Keys {
  readonly #base: string;
  /** The version of the latest purge. */
  readonly latestPurge: string;
  /** What was purged: a sorted set of targets by version. */
  readonly purges: string;
  /** Where purges are published. Channels are of no database, and keys are: it has the number. */
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
   * The sorted set of the pages which differ from that of their path by query or variant, by the
   * time they were stored; undefined for the page of the path alone.
   */
  pagesOfPath(key: string): string | undefined {
    const path = /^[^\n]*\n[^?\n]*/.exec(key)?.[0] ?? key;
    return path === key ? undefined : `${this.#base}:pages:${digestOf(path)}`;
  }

  /**
   * There while any process may have a page of this route path, or renders one: without it, an
   * unsafe request to the path has nothing to invalidate.
   */
  path(path: string): string {
    return `${this.#base}:path:${digestOf(path)}`;
  }

  lease(key: string): string {
    return `${this.#base}:lease:${digestOf(key)}`;
  }
}

/**
 * What stands for a key in Redis: names of keys are logged and listed there, and a page's key may
 * hold cookies and tokens. SHA-256, because clients choose a part of the key, and nobody may make
 * two keys with one digest.
 */
export function digestOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}
