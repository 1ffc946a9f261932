import { LRUCache } from 'lru-cache';
import { HeldPage } from './held-page.ts';
import type { Purge, Variants } from './page-store.ts';
import { PurgeLog } from './purge-log.ts';

/** Keys, not pages: what is remembered of answers that nobody else may have. */
const MOST_UNSHARED_BYTES = 4 * 1024 * 1024;
/** For so long requests for such a page do not wait for one another. */
const UNSHARED_MS = 60_000;

/** Stored pages by key: the most recently used, within a bound of bytes. */
export class PageMemory {
  readonly purges = new PurgeLog();
  readonly #entries: LRUCache<string, HeldPage | Variants>;
  readonly #unshared: LRUCache<string, true>;
  /** How many pages there are by route path, those that are being rendered included. */
  readonly #countByPath = new Map<string, number>();

  constructor(readonly maxBytes: number) {
    this.#entries = new LRUCache({
      maxSize: maxBytes,
      dispose: (entry) => {
        if (entry instanceof HeldPage) this.#count(entry.page.path, -1);
      },
    });
    this.#unshared = new LRUCache({ maxSize: MOST_UNSHARED_BYTES, ttl: UNSHARED_MS });
  }

  get count(): number {
    return this.#entries.size;
  }

  get bytes(): number {
    return this.#entries.calculatedSize;
  }

  /** What a key leads to; a page that was purged hard is gone. */
  get(key: string): HeldPage | Variants | undefined {
    const entry = this.#entries.get(key);
    if (!(entry instanceof HeldPage) || this.purges.apply(entry)) return entry;
    this.#entries.delete(key);
    return undefined;
  }

  /** Whether this very page is still held. */
  holds(key: string, held: HeldPage): boolean {
    return this.#entries.peek(key) === held;
  }

  /** Whether a page of this many bytes is within the bound at all. */
  fits(key: string, bytes: number): boolean {
    return bytes + key.length <= this.maxBytes;
  }

  /** @returns false when the page alone is larger than the bound. */
  set(key: string, entry: HeldPage | Variants): boolean {
    const own = entry instanceof HeldPage ? entry.bytes : VARIANTS_BYTES;
    const size = own + key.length;
    if (size > this.maxBytes) return false;
    // What is set to the same again keeps its old size there.
    if (this.#entries.peek(key) === entry) this.#entries.delete(key);
    if (entry instanceof HeldPage) this.#count(entry.page.path, 1);
    this.#entries.set(key, entry, { size });
    this.#unshared.delete(key);
    return true;
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  /**
   * Notes that a page of this route path may come: its content may be of now.
   *
   * @returns To be called when it has come, or will not.
   */
  expect(path: string): () => void {
    this.#count(path, 1);
    return () => this.#count(path, -1);
  }

  /** Whether there is a page of this route path, or may be one soon. */
  mayHold(path: string): boolean {
    return this.#countByPath.has(path);
  }

  /** Remembers that the answer for a key is for its reader alone. */
  markUnshared(key: string): void {
    this.#unshared.set(key, true, { size: key.length + UNSHARED_BYTES });
  }

  isUnshared(key: string): boolean {
    return this.#unshared.size > 0 && this.#unshared.has(key);
  }

  purge(purge: Purge): void {
    if (!this.purges.add(purge, performance.now())) return;
    for (const [key, entry] of [...this.#entries.entries()]) {
      if (entry instanceof HeldPage && !this.purges.apply(entry)) this.#entries.delete(key);
    }
    this.purges.begin();
  }

  #count(path: string, change: 1 | -1): void {
    const count = (this.#countByPath.get(path) ?? 0) + change;
    if (count === 0) this.#countByPath.delete(path);
    else this.#countByPath.set(path, count);
  }

  /** Pages with their keys, the most recently used first. */
  *pages(): Iterable<readonly [key: string, held: HeldPage]> {
    for (const [key, entry] of this.#entries.entries()) {
      if (entry instanceof HeldPage && this.purges.apply(entry)) yield [key, entry];
    }
  }
}

/** A map entry with a key of its own. */
const UNSHARED_BYTES = 128;
const VARIANTS_BYTES = 512;
