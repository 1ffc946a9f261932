import { LRUCache } from '../../platform/recently-used.ts';

/** Bounds the memory for the keys. */
const MOST_BYTES = 4 * 1024 * 1024;
/** Of a map entry, without its key. */
const OVERHEAD_BYTES = 128;

/**
 * Keys whose answers cannot be shared, for a time. Requests for such a key do not wait for one another, since each of them
 * needs an answer of its own. Varnish calls it hit-for-miss.
 */
export class UnsharedKeys {
  readonly #keys: LRUCache<true>;

  /** @param ttlMs - How long a key is remembered. */
  constructor(ttlMs: number) {
    this.#keys = new LRUCache({ maxSize: MOST_BYTES, ttl: ttlMs });
  }

  mark(key: string): void {
    this.#keys.set(key, true, key.length + OVERHEAD_BYTES);
  }

  /** An answer for the key can be shared after all. */
  unmark(key: string): void {
    this.#keys.delete(key);
  }

  has(key: string): boolean {
    return this.#keys.size > 0 && this.#keys.has(key);
  }
}
