import { LRUCache } from '../../../platform/recently-used.ts';
import { type Purgeable, PurgeLog } from '../../../pages/memory/purge-log.ts';
import type { Variants } from '../../../pages/stored-page.ts';
import type { Purge } from '../../../purge.ts';
import { variantKeyOf } from './call-key.ts';
import { HeldCall } from './held-call.ts';

const VARIANTS_BYTES = 512;

/** Stored responses of calls by key, least recently used dropped first, within a bound of bytes. */
export class CallMemory {
  readonly #purges = new PurgeLog();
  readonly #entries: LRUCache<HeldCall | Variants> | undefined;
  readonly #maxBytes: number;
  /** The latest purge that may mean any response, since tags are known only with it. */
  #latestOfAny = 0;

  /** @param maxBytes - 0 if nothing is stored. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#entries = maxBytes === 0 ? undefined : new LRUCache({ maxSize: maxBytes });
  }

  get isOn(): boolean {
    return this.#entries !== undefined;
  }

  get bytes(): number {
    return this.#entries?.calculatedSize ?? 0;
  }

  /** The number of the latest purge: a call that begins now is newer. */
  get latestPurge(): number {
    return this.#purges.latest;
  }

  find(primary: string, headers: Headers): HeldCall | undefined {
    const entry = this.#get(primary);
    if (entry === undefined || entry instanceof HeldCall) return entry;
    const variant = this.#get(variantKeyOf(primary, entry.vary, headers));
    return variant instanceof HeldCall ? variant : undefined;
  }

  /** @returns false if it was not stored: it is too large, or has been purged since it was asked for. */
  set(primary: string, key: string, held: HeldCall, vary: readonly string[]): boolean {
    const size = held.bytes + key.length;
    if (this.#entries === undefined || size > this.#maxBytes) return false;
    if (!this.#purges.apply(held)) return false;
    if (key !== primary) this.#entries.set(primary, { vary }, VARIANTS_BYTES + primary.length);
    this.#entries.set(key, held, size);
    return true;
  }

  delete(key: string): void {
    this.#entries?.delete(key);
  }

  purge(purge: Purge): void {
    const isFull = this.#purges.add({ ...purge, hard: true }, performance.now());
    if (purge.path === undefined) this.#latestOfAny = this.#purges.latest;
    if (!isFull) return;
    for (const [key, entry] of [...(this.#entries?.entries() ?? [])]) {
      if (entry instanceof HeldCall && !this.#purges.apply(entry)) this.#entries?.delete(key);
    }
    this.#purges.begin();
  }

  /** Whether no later purge may mean a call in flight, whose tags are not yet known. */
  isCurrent(call: Pick<Purgeable, 'purgesSeen'> & { readonly path: string }): boolean {
    const { path, purgesSeen } = call;
    if (purgesSeen < this.#latestOfAny) return false;
    return this.#purges.apply({ page: { path, tags: [] }, purgesSeen, staleAtMs: 0 });
  }

  #get(key: string): HeldCall | Variants | undefined {
    const entry = this.#entries?.get(key);
    if (!(entry instanceof HeldCall) || this.#purges.apply(entry)) return entry;
    this.#entries?.delete(key);
    return undefined;
  }
}
