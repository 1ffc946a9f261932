import { LRUCache } from '../../platform/recently-used.ts';
import { CachedPage } from './cached-page.ts';
import type { Purge } from '../../purge.ts';
import type { Variants } from '../stored-page.ts';
import { PurgeLog } from './purge-log.ts';
import { toSharedBytes } from '../../shared-bytes.ts';
import { UnsharedKeys } from './unshared-keys.ts';

/** How long requests for such a page do not wait for one another. */
const UNSHARED_MS = 60_000;

/** Keeps the copies of a memory in other threads up to date, or a copy itself. */
export interface MemoryObserver {
  /** Called before each look-up. False if the memory may have pages that another thread has purged. */
  catchUp(): boolean;
  /** The entry of a key is new, or has an encoding more. */
  stored(key: string, entry: CachedPage | Variants): void;
  dropped(key: string): void;
  /** A refresh of the page has begun, or ended. */
  refreshed(key: string, held: CachedPage): void;
  purged(purge: Purge): void;
}

/** Stored pages by key, least recently used dropped first, within a bound of bytes. */
export class MemoryStore {
  readonly maxBytes: number;
  readonly purges: PurgeLog = new PurgeLog();
  readonly #entries: LRUCache<CachedPage | Variants>;
  readonly #unshared = new UnsharedKeys(UNSHARED_MS);
  /** Number of pages by route path, including those being rendered. */
  readonly #countByPath = new Map<string, number>();
  #pages = 0;
  #observer: MemoryObserver | undefined;
  #isGrowing = false;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
    this.#entries = new LRUCache({
      maxSize: maxBytes,
      dispose: (entry, key, reason) => {
        if (entry instanceof CachedPage) {
          this.#pages--;
          this.#count(entry.page.path, -1);
        }
        if (this.#isGrowing) return;
        const hasSuccessor = reason === 'set';
        if (!hasSuccessor) this.#observer?.dropped(key);
        if (entry instanceof CachedPage) entry.marks.dropped?.(key, hasSuccessor);
      },
    });
  }

  /** Of pages alone: entries that name a page's variants are not counted. */
  get count(): number {
    return this.#pages;
  }

  get bytes(): number {
    return this.#entries.calculatedSize;
  }

  /** The entry of a key; undefined for a page that was purged hard. */
  get(key: string): CachedPage | Variants | undefined {
    if (this.#observer !== undefined && !this.#observer.catchUp()) return undefined;
    const entry = this.#entries.get(key);
    if (!(entry instanceof CachedPage) || this.purges.apply(entry)) return entry;
    this.#entries.delete(key);
    return undefined;
  }

  /** As {@link get}, which neither counts as a use nor removes anything. */
  look(key: string): CachedPage | Variants | undefined {
    const entry = this.#entries.peek(key);
    return entry instanceof CachedPage && !this.purges.apply(entry) ? undefined : entry;
  }

  /** The entry of a key as it is, which does not count as a use. */
  peek(key: string): CachedPage | Variants | undefined {
    return this.#entries.peek(key);
  }

  /** Whether this page object is still held. */
  holds(key: string, held: CachedPage): boolean {
    return this.#entries.peek(key) === held;
  }

  /** Whether a page of this many bytes fits into the memory at all. */
  fits(key: string, bytes: number): boolean {
    return bytes + key.length <= this.maxBytes;
  }

  /** @returns false when the page alone is larger than the bound. */
  set(key: string, entry: CachedPage | Variants): boolean {
    const own = entry instanceof CachedPage ? entry.bytes : VARIANTS_BYTES;
    const size = own + key.length;
    if (size > this.maxBytes) return false;
    const isGrowing = this.#entries.peek(key) === entry;
    this.#isGrowing = isGrowing;
    if (isGrowing) this.#entries.delete(key);
    this.#isGrowing = false;
    if (entry instanceof CachedPage) {
      this.#pages++;
      this.#count(entry.page.path, 1);
    }
    this.#entries.set(key, entry, size);
    if (entry instanceof CachedPage && !isGrowing) {
      entry.marks.stored?.(key, () => this.get(key) instanceof CachedPage);
    }
    this.#unshared.unmark(key);
    this.#report(key, entry);
    return true;
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  /**
   * Notes that a page of this route path is being rendered: an invalidation must apply to it.
   *
   * @returns To be called when the render has ended.
   */
  expect(path: string): () => void {
    this.#count(path, 1);
    return () => this.#count(path, -1);
  }

  /** Whether there is a page of this route path, or may be one soon. */
  mayHold(path: string): boolean {
    return this.#countByPath.has(path);
  }

  /** Remembers that the answer for a key cannot be shared. */
  markUnshared(key: string): void {
    this.#unshared.mark(key);
  }

  isUnshared(key: string): boolean {
    return this.#unshared.has(key);
  }

  purge(purge: Purge): void {
    if (this.purges.add(purge, performance.now())) {
      for (const [key, entry] of [...this.#entries.entries()]) {
        if (entry instanceof CachedPage && !this.purges.apply(entry)) this.#entries.delete(key);
      }
      this.purges.begin();
    }
    this.#observer?.purged(purge);
  }

  /** Bytes as the memory holds them: in shared memory, if other threads have copies. */
  hold(bytes: Uint8Array): Uint8Array {
    return this.#observer === undefined ? bytes : toSharedBytes(bytes);
  }

  /** To be called when a refresh of a page has begun or ended. */
  noteRefresh(key: string, held: CachedPage): void {
    this.#observer?.refreshed(key, held);
  }

  /** Moves all pages into shared memory and reports every change from now on. */
  observe(observer: MemoryObserver): void {
    for (const [key, entry] of [...this.#entries.entries()].reverse()) {
      if (entry instanceof CachedPage) this.set(key, entry.inSharedMemory());
    }
    this.#observer = observer;
  }

  /** Reports changes, and nothing else: for a copy, whose pages are in shared memory already. */
  follow(observer: MemoryObserver): void {
    this.#observer = observer;
  }

  /** All entries, purges applied, the least recently used first. */
  entries(): (readonly [key: string, entry: CachedPage | Variants])[] {
    return [...this.#entries.entries()]
      .filter(([, entry]) => !(entry instanceof CachedPage) || this.purges.apply(entry))
      .reverse();
  }

  /** A page that was purged while it was rendered is no page for copies, which have seen that purge already. */
  #report(key: string, entry: CachedPage | Variants): void {
    if (this.#observer === undefined) return;
    const isPurged = entry instanceof CachedPage && !this.purges.apply(entry);
    if (isPurged) this.#observer.dropped(key);
    else this.#observer.stored(key, entry);
  }

  #count(path: string, change: 1 | -1): void {
    const count = (this.#countByPath.get(path) ?? 0) + change;
    if (count === 0) this.#countByPath.delete(path);
    else this.#countByPath.set(path, count);
  }

  /** Pages with their keys, the most recently used first. */
  *pages(): Iterable<readonly [key: string, held: CachedPage]> {
    for (const [key, entry] of this.#entries.entries()) {
      if (entry instanceof CachedPage && this.purges.apply(entry)) yield [key, entry];
    }
  }
}

const VARIANTS_BYTES = 512;
