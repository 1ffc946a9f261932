import type { SsrError } from '../../errors.ts';
import { CachedPage } from '../memory/cached-page.ts';
import type { MemoryStore } from '../memory/memory-store.ts';
import type { PageEncodings } from '../memory/page-encodings.ts';
import type { StoredPage } from '../stored-page.ts';
import type { FoundPage, Tier } from '../tier.ts';
import type { PageTraits } from '../traits/page-traits.ts';

/** The dependencies of {@link TierPages}. */
export interface TierPagesContext {
  readonly memory: MemoryStore;
  readonly tier: Tier | undefined;
  readonly traits: PageTraits;
  readonly encodings: PageEncodings;
  readonly onError: (error: SsrError) => void;
}

/** Gives a page to the tier. Never rejects. */
export type Share = (pageKey: string, held: CachedPage, vary: readonly string[]) => Promise<void>;

/** Pages on their way to a tier and back, with their Brotli bytes: one process encodes for all. */
export class TierPages {
  readonly #context: TierPagesContext;

  constructor(context: TierPagesContext) {
    this.#context = context;
  }

  /** @param version - Of the tier, from before the render began; undefined if the tier fails. */
  toShare(primaryKey: string, version: number | undefined): Share | undefined {
    const { onError, tier, traits, encodings } = this.#context;
    if (tier === undefined || version === undefined) return undefined;
    return async (pageKey, held, vary) => {
      const { page } = held;
      let sent: StoredPage;
      try {
        sent = traits.toStored(page);
      } catch (error) {
        // The page stays in this process.
        return onError(error as SsrError);
      }
      const isSame = sent.body === page.body;
      const brotli = isSame ? await encodings.brotliOf(pageKey, held) : undefined;
      await tier.set(primaryKey, pageKey, brotli ? { ...sent, brotli } : sent, vary, version);
    };
  }

  /** Takes a page of the tier into memory; undefined if a trait refuses it. */
  take(found: FoundPage, key: string, query: string, purgesSeen: number): CachedPage | undefined {
    const { memory, traits, encodings } = this.#context;
    const page = traits.fromStored(found.page);
    if (page === undefined) return undefined;
    const { brotli, ...own } = page;
    const { bornAtMs } = found;
    const { isEncoded } = encodings;
    const taking = { traits, query, isEncoded, purgesSeen, bornAtMs };
    const held = CachedPage.take({ ...own, body: memory.hold(page.body) }, taking);
    if (found.isPurged) held.staleAtMs = Math.min(held.staleAtMs, performance.now());
    const earlier = memory.get(found.key);
    if (earlier instanceof CachedPage) held.adopt(earlier);
    if (brotli !== undefined && page.body === found.page.body) encodings.take(held, brotli);
    if (found.variants !== undefined) memory.set(key, found.variants);
    memory.set(found.key, held);
    return held;
  }
}
