import { createHash } from 'node:crypto';

const MAX_KEY_BYTES = 512;

/** The names of everything a build has in Redis. */
export class Keys {
  readonly #base: string;
  /** The version of the latest purge. */
  readonly latestPurge: string;
  /** What was purged: a sorted set of targets by version. */
  readonly purges: string;
  /** Where purges are published. */
  readonly purgeChannel: string;

  constructor(prefix: string, buildId: string) {
    this.#base = `${prefix}:${buildId}`;
    this.latestPurge = `${this.#base}:purges:latest`;
    this.purges = `${this.#base}:purges`;
    this.purgeChannel = `${this.#base}:purges`;
  }

  page(key: string): string {
    return `${this.#base}:page:${bounded(key)}`;
  }

  lease(key: string): string {
    return `${this.#base}:lease:${bounded(key)}`;
  }
}

/** Clients choose a part of the key: a long one must not fill Redis. Entries hold it whole. */
function bounded(key: string): string {
  if (Buffer.byteLength(key) <= MAX_KEY_BYTES) return key;
  return `sha256:${createHash('sha256').update(key).digest('base64url')}`;
}
