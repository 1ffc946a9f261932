import type { ContentEncoding } from '../../http/accept-encoding.ts';
import { CachedPage } from '../../pages/memory/cached-page.ts';
import type { StoredPage, Variants } from '../../pages/stored-page.ts';
import type { PageTraits } from '../../pages/traits/page-traits.ts';
import { toBuffer } from '../../shared-bytes.ts';
import { toCommonMs, toOwnMs } from './common-clock.ts';

/** A page in memory as plain data, its bytes in shared memory; times by the clock of all threads. */
interface WirePage {
  readonly page: StoredPage;
  readonly query: string;
  readonly isEncoded: boolean;
  readonly bornAtMs: number;
  readonly staleAtMs: number;
  readonly isRefreshing: boolean;
  readonly retryAtMs: number;
  readonly encoded: readonly (readonly [encoding: ContentEncoding, body: Uint8Array])[];
}

/** An entry of the memory as plain data. */
export type WireEntry = WirePage | Variants;

export function toWireEntry(entry: CachedPage | Variants): WireEntry {
  if (!(entry instanceof CachedPage)) return entry;
  const { page, marks, isEncoded, bornAtMs, staleAtMs, isRefreshing, retryAtMs, encoded } = entry;
  return {
    page,
    query: marks.query,
    isEncoded,
    bornAtMs: toCommonMs(bornAtMs),
    staleAtMs: toCommonMs(staleAtMs),
    isRefreshing,
    retryAtMs: toCommonMs(retryAtMs),
    encoded: Object.entries(encoded).map(([encoding, { body }]) => [
      encoding as ContentEncoding,
      body,
    ]),
  };
}

/**
 * The entry that {@link toWireEntry} was given.
 *
 * @param purgesSeen - The latest purge of the memory that it goes to: earlier ones have been applied.
 * @param traits - Of the server whose memory that is.
 */
export function fromWireEntry(
  plain: WireEntry,
  purgesSeen: number,
  traits: PageTraits,
): CachedPage | Variants {
  if (!('page' in plain)) return plain;
  const { query, isEncoded, isRefreshing } = plain;
  const page = { ...plain.page, body: toBuffer(plain.page.body) };
  const bornAtMs = toOwnMs(plain.bornAtMs);
  const held = CachedPage.take(page, { traits, query, isEncoded, purgesSeen, bornAtMs });
  for (const [encoding, encoded] of plain.encoded) held.add(encoding, toBuffer(encoded));
  const [staleAtMs, retryAtMs] = [toOwnMs(plain.staleAtMs), toOwnMs(plain.retryAtMs)];
  return Object.assign(held, { staleAtMs, retryAtMs, isRefreshing });
}
