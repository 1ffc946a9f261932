import { check } from '../check-option.ts';
import { listOf, type Option } from '../options/option.ts';

/**
 * A fallback for a page that is not ready in time: the stale page (`stale`), waiting for a free render (`queue`), or
 * `index.csr.html`, which the browser renders (`csr`). After that, the response is 503 with Retry-After.
 */
export type Fallback = 'stale' | 'queue' | 'csr';

/** In the order in which they are tried. */
export const FALLBACKS: readonly Fallback[] = ['stale', 'queue', 'csr'];

const list: Option<readonly Fallback[]> = listOf(
  (each) => FALLBACKS.includes(each as Fallback),
  `a list of ${FALLBACKS.map((name) => `'${name}'`).join(', ')}`,
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
