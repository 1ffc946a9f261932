import type { Purge } from '../purge.ts';
import type { MemoryStore } from './memory/memory-store.ts';
import type { RouteRules } from './policy/route-rules.ts';

/** Which pages a purge reaches. */
export interface PurgeReach {
  /** Number of pages in this process's memory that it matches. */
  readonly here: number;
  /** Where else it purges: there may be pages that this process does not know. */
  readonly elsewhere: readonly ('store' | 'edge')[];
}

/** The answer of the endpoints for purges. */
export interface PurgeReport extends PurgeReach {
  readonly purged: Purge;
}

/** As `StoredPages.purge`: without the option, a purge looks at no page. */
export interface PurgePages {
  (purge: Purge): Promise<void>;
  (purge: Purge, options: CountPurged): Promise<PurgeReach>;
}

/** Options of `purge`. */
export interface CountPurged {
  /** Counts the pages that the purge matches in this process. It takes a look at each cached page. */
  readonly count: true;
}

/** A purge as the memory has its pages: by route paths, and in a localized build for each locale that it means. */
export function normalisePurge(rules: RouteRules, purge: Purge): readonly Purge[] {
  const { path, prefix, tag, hard = false } = purge;
  if (path !== undefined) return rules.readAll(path).map((each) => ({ path: each, hard }));
  if (prefix === undefined) return [{ tag, hard }];
  return rules.readAllPrefixes(prefix).map((each) => ({ prefix: each, hard }));
}

/** Number of pages that one of these purges matches. Looks at each page once, and at none for a path without pages. */
export function countMatching(memory: MemoryStore, purges: readonly Purge[]): number {
  const possible = purges.filter(({ path }) => path === undefined || memory.mayHold(path));
  if (possible.length === 0) return 0;
  let count = 0;
  for (const [, { page }] of memory.pages()) {
    if (possible.some((purge) => matches(purge, page))) count++;
  }
  return count;
}

/** Whether a purge means a page. */
export function matches(
  { path, prefix, tag }: Purge,
  page: { readonly path: string; readonly tags: readonly string[] },
): boolean {
  if (path !== undefined) return page.path === path;
  return prefix === undefined ? page.tags.includes(tag!) : page.path.startsWith(prefix);
}
