/** Options of {@link LRUCache}. */
export interface RecentlyUsedOptions<Value> {
  /** The most that the sizes of all entries may be together. */
  readonly maxSize: number;
  /** In milliseconds; default: none. */
  readonly ttl?: number;
  readonly dispose?: (value: Value, key: string, reason: 'set' | 'delete' | 'evict') => void;
}

/** A link of the ring of entries, whose fixed link is between the newest and the oldest. */
interface Link<Value> {
  readonly key: string;
  readonly value: Value | undefined;
  readonly size: number;
  readonly untilMs: number;
  older: Link<Value>;
  newer: Link<Value>;
}

/**
 * Entries within a sum of sizes, the least recently used dropped first: what stored pages need of the package
 * `lru-cache`, which is a large part of a bundle. A ring, because a hit moves its entry without an allocation.
 */
export class LRUCache<Value extends object | true> {
  readonly #options: RecentlyUsedOptions<Value>;
  readonly #links = new Map<string, Link<Value>>();
  readonly #ends: Link<Value>;
  calculatedSize = 0;

  constructor(options: RecentlyUsedOptions<Value>) {
    this.#options = options;
    const ends = { key: '', value: undefined, size: 0, untilMs: 0 } as Link<Value>;
    this.#ends = ends.older = ends.newer = ends;
  }

  get size(): number {
    return this.#links.size;
  }

  get(key: string): Value | undefined {
    const link = this.#fresh(key);
    if (link !== undefined && link !== this.#ends.older) {
      unlink(link);
      this.#append(link);
    }
    return link?.value;
  }

  /** As {@link get}, and no use. */
  peek(key: string): Value | undefined {
    return this.#fresh(key)?.value;
  }

  has(key: string): boolean {
    return this.#fresh(key) !== undefined;
  }

  set(key: string, value: Value, size = 1): void {
    const { maxSize, ttl } = this.#options;
    this.#remove(key, 'set');
    if (size > maxSize) return;
    const untilMs = ttl === undefined ? 0 : performance.now() + ttl;
    const link: Link<Value> = { key, value, size, untilMs, older: this.#ends, newer: this.#ends };
    this.#links.set(key, link);
    this.#append(link);
    this.calculatedSize += size;
    while (this.calculatedSize > maxSize) this.#remove(this.#ends.newer.key, 'evict');
  }

  delete(key: string): void {
    this.#remove(key, 'delete');
  }

  /** The most recently used first, as they are now: hits move links while a caller walks along them. */
  entries(): [string, Value][] {
    const found: [string, Value][] = [];
    for (let link = this.#ends.older; link !== this.#ends; link = link.older)
      found.push([link.key, link.value!]);
    return found;
  }

  #fresh(key: string): Link<Value> | undefined {
    const link = this.#links.get(key);
    const isNotTimed = this.#options.ttl === undefined;
    return isNotTimed || (link && performance.now() < link.untilMs) ? link : undefined;
  }

  #append(link: Link<Value>): void {
    const newest = this.#ends.older;
    link.older = newest;
    link.newer = this.#ends;
    newest.newer = this.#ends.older = link;
  }

  #remove(key: string, reason: 'set' | 'delete' | 'evict'): void {
    const link = this.#links.get(key);
    if (link === undefined) return;
    this.#links.delete(key);
    unlink(link);
    this.calculatedSize -= link.size;
    this.#options.dispose?.(link.value!, key, reason);
  }
}

function unlink({ older, newer }: Link<unknown>): void {
  older.newer = newer;
  newer.older = older;
}
