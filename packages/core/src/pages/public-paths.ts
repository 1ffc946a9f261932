import { readDirectives } from '../http/cache-control.ts';
import { valueOf } from '../http/header-list.ts';
import type { CachedPage } from './memory/cached-page.ts';
import type { MemoryStore } from './memory/memory-store.ts';

/** How many of the pages used last are looked at: a list costs the same, however many pages are stored. */
const MOST_EXAMINED = 10_000;

/**
 * The paths of stored pages that anybody may know of, the most recently used first: fresh ones that are `public`, the
 * same for all clients, and without a query, which a visitor may have written.
 *
 * @param origin - Only pages of this origin.
 */
export function* publicPaths(memory: MemoryStore, origin: string): Iterable<string> {
  const nowMs = performance.now();
  const start = `${origin}\n`;
  let examined = 0;
  for (const [key, held] of memory.pages()) {
    if (++examined > MOST_EXAMINED) return;
    if (!key.startsWith(start)) continue;
    const target = key.slice(start.length);
    // Further lines are the values of a variant.
    const isOnePage = !/[\n?]/.test(target) && !target.startsWith('//');
    if (isOnePage && isPublic(held, nowMs)) yield target;
  }
}

function isPublic({ page, staleAtMs }: CachedPage, nowMs: number): boolean {
  const { status, headers } = page;
  if (status !== 200 || nowMs >= staleAtMs) return false;
  if (valueOf(headers, 'content-type')?.startsWith('text/html') !== true) return false;
  const directives = readDirectives(valueOf(headers, 'cache-control') ?? '');
  return directives.has('public') && !directives.has('private') && !directives.has('no-store');
}
