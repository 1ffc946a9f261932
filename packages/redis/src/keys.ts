import { digestOf, pathOfKey } from '@ng-ssr/core/store';

// Enough letters for every slot of a cluster: names are told apart by whole digests.
const TAG_LETTERS = 8;

/**
 * The names of the keys and channels of a build in Redis; purges are those of all builds. The part in braces decides the
 * slot of a key in a cluster: a page, its variants and its lease have one, all purges have another one.
 */
export class Keys {
  readonly #prefix: string;
  /** Pages of different builds are different ones. */
  readonly #base: string;
  /** The key of the latest purge's version. */
  readonly latestPurge: string;
  /** The key of the purges: a sorted set of targets by version. */
  readonly purges: string;
  /** The channel of purges. Channels, unlike keys, span all databases, so it contains the number. */
  readonly purgeChannel: string;

  constructor(prefix: string, buildId: string, database: number) {
    this.#prefix = prefix;
    this.#base = `${prefix}:${withoutBraces(buildId)}`;
    // During a deploy, a purge must reach the pages of both builds.
    this.purges = `${prefix}:{purges}`;
    this.latestPurge = `${this.purges}:latest`;
    this.purgeChannel = `${prefix}:purges:${database}`;
  }

  page(key: string): string {
    return this.#name(pathIn(key), 'page', key);
  }

  /**
   * The sorted set of a path's pages with a query or variant, by the time they were stored; undefined
   * for the page with neither.
   */
  pagesOfPath(key: string): string | undefined {
    const path = pathOfKey(key);
    return path === undefined ? undefined : this.#name(pathIn(key), 'pages', path);
  }

  /**
   * Exists while any process, of any build, may have or render a page of this route path: without it, an unsafe
   * request to the path has nothing to invalidate.
   */
  path(path: string): string {
    return name(this.#prefix, path, 'path', path);
  }

  lease(key: string): string {
    return this.#name(pathIn(key), 'lease', key);
  }

  #name(path: string, kind: string, key: string): string {
    return name(this.#base, path, kind, key);
  }
}

function name(base: string, path: string, kind: string, key: string): string {
  return `${base}:{${digestOf(path).slice(0, TAG_LETTERS)}}:${kind}:${digestOf(key)}`;
}

/** The path of the URL in a key: the second line of a page's key begins with it. */
function pathIn(key: string): string {
  return /^(?:[^\n]*\n)?([^?\n]*)/.exec(key)![1]!;
}

/** Other braces before those of a tag would be taken for it. */
function withoutBraces(text: string): string {
  return text.replace(/[%{}]/g, encodeURIComponent) || '%';
}
