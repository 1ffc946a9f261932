import type { Purge } from '@ng-ssr/core';

/** Of more, all pages are purged. */
const MOST_PATHS = 10_000;

/**
 * Paths with pages in the memory of this process that Redis has not taken note of: an unsafe request to another process
 * does not reach them.
 */
export class UnnotedPaths {
  readonly #paths = new Set<string>();

  add(path: string): void {
    if (this.#paths.size <= MOST_PATHS) this.#paths.add(path);
  }

  /** Forgets them. @returns purges after which their pages are rendered again, or come from Redis. */
  take(): readonly Purge[] {
    const paths = [...this.#paths];
    this.#paths.clear();
    return paths.length > MOST_PATHS ? [{ prefix: '/' }] : paths.map((path) => ({ path }));
  }
}
