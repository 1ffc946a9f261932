import { check } from '../check-option.ts';
import { listOf, type Option } from '../options/option.ts';

/**
 * Fallbacks for a page that cannot be rendered in time: a stale stored page (`stale`), waiting until other
 * renders end (`queue`), and the document that the browser renders into (`csr`: index.csr.html, never
 * stored). After all of them the answer is 503 with Retry-After.
 */
export type Fallback = 'stale' | 'queue' | 'csr';

/** In the order in which they are tried. */
export const FALLBACKS: readonly Fallback[] = ['stale', 'queue', 'csr'];

const list: Option<readonly Fallback[]> = listOf(
  (each) => FALLBACKS.includes(each as Fallback),
  `a list of ${FALLBACKS.join(', ')}`,
);

/** A list of fallbacks. Their order is fixed: another one is refused, since it would have no effect. */
export const fallbacks: Option<readonly Fallback[]> = (name, given) => {
  const named = list(name, given);
  const inOrder = FALLBACKS.filter((each) => named.includes(each));
  const isInOrder =
    inOrder.length === named.length && inOrder.every((each, i) => each === named[i]);
  const shown = inOrder.map((each) => `'${each}'`).join(', ');
  check(name, given, isInOrder, `each once, in their fixed order: [${shown}]`);
  return named;
};
