import { check, isList } from '../check-option.ts';

/**
 * Fallbacks for a page that cannot be rendered in time: a stale stored page (`stale`), waiting until other
 * renders end (`queue`), and the document that the browser renders into (`csr`: index.csr.html, never
 * stored). After all of them the answer is 503 with Retry-After.
 */
export type Fallback = 'stale' | 'queue' | 'csr';

/** In the default order. */
export const FALLBACKS: readonly Fallback[] = ['stale', 'queue', 'csr'];

/** @throws SsrError `NG_SSR_OPTION_INVALID` */
export function checkFallbacks(name: string, fallbacks: readonly Fallback[] | undefined): void {
  const areFallbacks =
    fallbacks === undefined || isList(fallbacks, (each) => FALLBACKS.includes(each as Fallback));
  check(name, fallbacks, areFallbacks, `a list of ${FALLBACKS.join(', ')}`);
}
