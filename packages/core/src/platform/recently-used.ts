/** Options of {@link LRUCache}, as those of the package `lru-cache`. */
export interface RecentlyUsedOptions<Value> {
  /** The most that all entries may be together. */
  readonly maxSize: number;
  /** In milliseconds; default: none. */
  readonly ttl?: number;
  readonly dispose?: (value: Value, key: string, reason: 'set' | 'delete' | 'evict') => void;
}

interface Entry<Value> {
  readonly value: Value;
  readonly size: number;
  readonly untilMs: number;
}

/**
 * The members of the package `lru-cache` that stored pages need, for platforms without Node's modules: the package
 * imports one of them where it can.
 */
export class LRUCache<_Key extends string, Value extends object | true> {
  readonly #options: RecentlyUsedOptions<Value>;
  /** The least recently used first. */
  readonly #entries = new Map<string, Entry<Value>>();
  calculatedSize = 0;

  constructor(options: RecentlyUsedOptions<Value>) {
    this.#options = options;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): Value | undefined {
    const entry = this.#fresh(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** As {@link get}, and no use. */
  peek(key: string): Value | undefined {
    return this.#fresh(key)?.value;
  }

  has(key: string): boolean {
    return this.#fresh(key) !== undefined;
  }

  set(key: string, value: Value, { size }: { readonly size: number }): this {
    this.#remove(key, 'set');
    if (size > this.#options.maxSize) return this;
    const { ttl } = this.#options;
    const untilMs = ttl === undefined ? Number.POSITIVE_INFINITY : performance.now() + ttl;
    this.#entries.set(key, { value, size, untilMs });
    this.calculatedSize += size;
    for (const oldest of this.#entries.keys()) {
      if (this.calculatedSize <= this.#options.maxSize) break;
      this.#remove(oldest, 'evict');
    }
    return this;
  }

  delete(key: string): boolean {
    return this.#remove(key, 'delete');
  }

  /** The most recently used first. */
  *entries(): Generator<[string, Value]> {
    for (const [key, { value }] of [...this.#entries].reverse()) yield [key, value];
  }

  #fresh(key: string): Entry<Value> | undefined {
    const entry = this.#entries.get(key);
    return entry !== undefined && performance.now() < entry.untilMs ? entry : undefined;
  }

  #remove(key: string, reason: 'set' | 'delete' | 'evict'): boolean {
    const entry = this.#entries.get(key);
    if (entry === undefined) return false;
    this.#entries.delete(key);
    this.calculatedSize -= entry.size;
    this.#options.dispose?.(entry.value, key, reason);
    return true;
  }
}
