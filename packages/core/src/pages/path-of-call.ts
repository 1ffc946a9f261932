import type { Purge } from '../purge.ts';

/** Paths of pages, and those of purges, are normalised: none has a space. */
const START = '/ ';

/**
 * The path under which a store has a call, so that only a purge of everything, the prefix `/`, reaches it by its path.
 * The query is left out, as it is from those of pages.
 */
export function pathOfCall({ origin, pathname }: URL): string {
  return START + origin + pathname;
}

/** Whether a purge of another process means the calls to one URL. */
export function isOfCall({ path }: Purge): boolean {
  return path?.startsWith(START) === true;
}
