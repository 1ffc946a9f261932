import type { ContentCoding } from '../http/accept-encoding.ts';
import type { EdgeFields } from '../pages/edge/edge-fields.ts';
import { HeldPage } from '../pages/memory/held-page.ts';
import type { StoredPage, Variants } from '../pages/store/page-store.ts';
import { toBuffer } from '../shared-bytes.ts';
import { toCommonMs, toOwnMs } from './common-clock.ts';

/** A page in memory as plain data, its bytes in shared memory; times by the clock of all threads. */
interface PlainPage {
  readonly page: StoredPage;
  readonly isCoded: boolean;
  readonly bornAtMs: number;
  readonly staleAtMs: number;
  readonly isRefreshing: boolean;
  readonly retryAtMs: number;
  readonly coded: readonly (readonly [coding: ContentCoding, body: Uint8Array])[];
}

/** An entry of the memory as plain data. */
export type PlainEntry = PlainPage | Variants;

export function toPlainEntry(entry: HeldPage | Variants): PlainEntry {
  if (!(entry instanceof HeldPage)) return entry;
  const { page, isCoded, bornAtMs, staleAtMs, isRefreshing, retryAtMs, coded } = entry;
  return {
    page,
    isCoded,
    bornAtMs: toCommonMs(bornAtMs),
    staleAtMs: toCommonMs(staleAtMs),
    isRefreshing,
    retryAtMs: toCommonMs(retryAtMs),
    coded: Object.entries(coded).map(([coding, { body }]) => [coding as ContentCoding, body]),
  };
}

/**
 * The entry that {@link toPlainEntry} was given.
 *
 * @param purgesSeen - The latest purge of the memory that it goes to: earlier ones have been applied.
 * @param edge - Undefined without the option `cache.edge`.
 */
export function fromPlainEntry(
  plain: PlainEntry,
  purgesSeen: number,
  edge: EdgeFields | undefined,
): HeldPage | Variants {
  if (!('page' in plain)) return plain;
  const { page, isCoded, isRefreshing } = plain;
  const body = toBuffer(page.body);
  const bornAtMs = toOwnMs(plain.bornAtMs);
  const held = new HeldPage({ ...page, body }, purgesSeen, isCoded, bornAtMs, undefined, edge);
  for (const [coding, coded] of plain.coded) held.add(coding, toBuffer(coded));
  const [staleAtMs, retryAtMs] = [toOwnMs(plain.staleAtMs), toOwnMs(plain.retryAtMs)];
  return Object.assign(held, { staleAtMs, retryAtMs, isRefreshing });
}
