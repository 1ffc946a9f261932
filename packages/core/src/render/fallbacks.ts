import { listOf, type Option } from '../options/option.ts';

/**
 * Fallbacks for a page that cannot be rendered in time: a stale stored page (`stale`), waiting until other
 * renders end (`queue`), and the document that the browser renders into (`csr`: index.csr.html, never
 * stored). After all of them the answer is 503 with Retry-After.
 */
export type Fallback = 'stale' | 'queue' | 'csr';

/** In the default order. */
export const FALLBACKS: readonly Fallback[] = ['stale', 'queue', 'csr'];

/** A list of fallbacks; their order does not matter. */
export const fallbacks: Option<readonly Fallback[]> = listOf(
  (each) => FALLBACKS.includes(each as Fallback),
  `a list of ${FALLBACKS.join(', ')}`,
);
