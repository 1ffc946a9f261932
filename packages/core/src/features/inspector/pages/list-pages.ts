import type { CachedPage } from '../../../pages/memory/cached-page.ts';
import type { RouteRuleOptions } from '../../../pages/options/cache-options.ts';
import { describeStored } from '../../../pages/stored-pages.ts';
import type { InspectedPage, InspectorPages } from '../protocol.ts';
import { shownKey } from '../shown-key.ts';
import { firstOf, pause } from './first-of.ts';
import type { PageQuery } from './page-query.ts';

interface Listed {
  readonly key: string;
  readonly held: CachedPage;
  /** Its place in the order. */
  readonly rank: number | string;
}

const SLICE = 2000;

/** What the rule of a path has in the keys of its pages. */
export type VaryOf = (path: string) => RouteRuleOptions['vary'];

/**
 * The stored pages that a query selects.
 *
 * @param pages - The most recently used first.
 */
export async function listPages(
  pages: Iterable<readonly [key: string, held: CachedPage]>,
  query: PageQuery,
  varyOf: VaryOf,
): Promise<InspectorPages> {
  const { limit, offset, isDescending } = query;
  const found = await search([...pages], query);
  const turn = isDescending ? -1 : 1;
  const first = await firstOf(found, Math.min(found.length, offset + limit), (one, other) => {
    return turn * compare(one.rank, other.rank) || compare(one.key, other.key);
  });
  const nowMs = performance.now();
  const shown = first
    .slice(offset)
    .map(({ key, held }) => inspectPage(key, held, varyOf(held.page.path), nowMs));
  return { found: found.length, pages: shown };
}

/** @param nowMs - `performance.now()` */
export function inspectPage(
  key: string,
  held: CachedPage,
  vary: RouteRuleOptions['vary'],
  nowMs: number,
): InspectedPage {
  return { ...describeStored(shownKey(key, vary), held, nowMs), hits: held.hits };
}

async function search(
  pages: readonly (readonly [key: string, held: CachedPage])[],
  { search, order }: PageQuery,
): Promise<Listed[]> {
  const found: Listed[] = [];
  for (let at = 0; at < pages.length; at++) {
    if (at % SLICE === SLICE - 1) await pause();
    const [key, held] = pages[at]!;
    if (has(held, search)) found.push({ key, held, rank: rankOf(held, order, at) });
  }
  return found;
}

function has({ page: { path, tags } }: CachedPage, search: string): boolean {
  if (search === '' || path.toLowerCase().includes(search)) return true;
  return tags.some((tag) => tag.toLowerCase().includes(search));
}

function rankOf(held: CachedPage, order: PageQuery['order'], at: number): number | string {
  switch (order) {
    case 'recent':
      return at;
    case 'path':
      return held.page.path;
    case 'age':
      return -held.bornAtMs;
    case 'ttl':
      return held.staleAtMs;
    case 'bytes':
      return held.bytes;
    case 'hits':
      return held.hits;
  }
}

function compare(one: number | string, other: number | string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
