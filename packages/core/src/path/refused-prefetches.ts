import type { Answer, Exchange } from '../exchange.ts';
import type { ParsedRequest } from '../pages/parsed-request.ts';
import type { Failures } from './failures.ts';
import { type Said, sayRefused, type Substitute } from './substitute.ts';

/** Refuses prefetches, which may cause no render (`render.prefetch: false`). */
export class RefusedPrefetches implements Substitute {
  readonly #failures: Failures;

  constructor(failures: Failures) {
    this.#failures = failures;
  }

  answer(_asked: ParsedRequest, request: ParsedRequest): Answer | undefined {
    if (!isPrefetch(request.exchange)) return undefined;
    return this.#failures.refuse('NG_SSR_PREFETCH_REFUSED', request);
  }

  says({ exchange }: ParsedRequest): Said | undefined {
    if (!isPrefetch(exchange)) return undefined;
    const reason = 'The request is a prefetch, which is not rendered (render.prefetch).';
    return sayRefused('NG_SSR_PREFETCH_REFUSED', reason);
  }
}

/**
 * Whether a request is made ahead of a navigation that may never come: `Sec-Purpose: prefetch`, also with parameters
 * as in `prefetch;prerender`, or the older `Purpose: prefetch`.
 *
 * @see https://wicg.github.io/nav-speculation/prefetch.html#sec-purpose-header
 */
export function isPrefetch(exchange: Exchange): boolean {
  const purpose = exchange.header('sec-purpose') ?? exchange.header('purpose');
  return purpose !== undefined && PREFETCH.test(purpose);
}

const PREFETCH = /^[ \t]*prefetch[ \t]*(?:;|$)/i;
