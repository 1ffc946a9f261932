import type { SsrError } from '../../errors.ts';
import type { Purge } from '../../purge.ts';
import type { CachedPage } from '../memory/cached-page.ts';
import type { MemoryStore } from '../memory/memory-store.ts';
import type { PageEncodings } from '../memory/page-encodings.ts';
import type { StoredPage } from '../stored-page.ts';
import type { FoundPage, Tier } from '../tier.ts';
import type { PageTraits } from '../traits/page-traits.ts';

/** The dependencies of {@link TierPages}. */
export interface TierPagesContext {
  /** That of the server: the tier may be of another copy of this package. */
  readonly Held: typeof CachedPage;
  readonly memory: MemoryStore;
  readonly traits: PageTraits;
  readonly encodings: PageEncodings;
  readonly onError: (error: SsrError) => void;
}

/** Makes the tier of a server. @param onPurge - Gets the purges of other processes. */
export type OpenTier = (onPurge: (purge: Purge) => void, context: TierPagesContext) => TierPages;

/** Gives a page to the tier. Never rejects. */
export type Share = (pageKey: string, held: CachedPage, vary: readonly string[]) => Promise<void>;

/** With more on their way to the tier, a page goes there without Brotli: other processes wait for it. */
const MOST_ENCODED_BYTES = 8 * 1024 * 1024;

/** Pages on their way to a tier and back, with their Brotli bytes: one process encodes for all. */
export class TierPages {
  readonly tier: Tier;
  readonly #context: TierPagesContext;
  /** The newest page of each key that is on its way to the tier. */
  readonly #sending = new Map<string, CachedPage>();
  readonly #sent = new Set<Promise<void>>();
  #bytes = 0;

  constructor(tier: Tier, context: TierPagesContext) {
    this.tier = tier;
    this.#context = context;
  }

  /** To be called before the render begins. @returns undefined if the tier fails. */
  toShare(primaryKey: string): Share | undefined {
    const version = this.tier.version();
    if (version === undefined) return undefined;
    return (pageKey, held, vary) => {
      this.#sending.set(pageKey, held);
      const sent = this.#send(pageKey, held, (page) =>
        this.tier.set(primaryKey, pageKey, page, vary, version),
      ).finally(() => {
        this.#sent.delete(sent);
        if (this.#sending.get(pageKey) === held) this.#sending.delete(pageKey);
      });
      this.#sent.add(sent);
      return sent;
    };
  }

  async #send(
    pageKey: string,
    held: CachedPage,
    set: (page: StoredPage) => Promise<void>,
  ): Promise<void> {
    const { onError, traits, encodings } = this.#context;
    const { page } = held;
    let sent: StoredPage;
    try {
      sent = traits.toStored(page);
    } catch (error) {
      // The page stays in this process.
      return onError(error as SsrError);
    }
    const isTaken = this.#bytes < MOST_ENCODED_BYTES && this.tier.takes(page.status);
    if (sent.body === page.body && isTaken) {
      this.#bytes += page.body.byteLength;
      const brotli = await encodings.brotliOf(pageKey, held);
      this.#bytes -= page.body.byteLength;
      if (this.#sending.get(pageKey) !== held) return;
      if (brotli !== undefined) sent = { ...sent, brotli };
    }
    await set(sent);
  }

  /** Deletes a page from the tier. One on its way there does not arrive. */
  delete(key: string): void {
    this.#sending.delete(key);
    void this.tier.delete(key);
  }

  /** Resolves when all pages on their way have reached the tier. */
  async sent(): Promise<void> {
    while (this.#sent.size > 0) await Promise.all(this.#sent);
  }

  /** Takes a page of the tier into memory; undefined if a trait refuses it. */
  take(found: FoundPage, key: string, query: string, purgesSeen: number): CachedPage | undefined {
    const { Held, memory, traits, encodings } = this.#context;
    const page = traits.fromStored(found.page);
    if (page === undefined) return undefined;
    const { brotli, ...own } = page;
    const { isEncoded } = encodings;
    const taking = { traits, query, isEncoded, purgesSeen, bornAtMs: found.bornAtMs };
    const held = Held.take({ ...own, body: memory.hold(page.body) }, taking);
    if (found.isPurged) held.staleAtMs = Math.min(held.staleAtMs, performance.now());
    const earlier = memory.get(found.key);
    if (earlier instanceof Held) held.adopt(earlier);
    const isOfBody = brotli instanceof Uint8Array && page.body === found.page.body;
    if (isOfBody) encodings.take(found.key, held, brotli);
    if (found.variants !== undefined) memory.set(key, found.variants);
    memory.set(found.key, held);
    return held;
  }
}
