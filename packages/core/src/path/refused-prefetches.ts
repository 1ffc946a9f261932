import type { Answer } from '../exchange.ts';
import { isPrefetch } from '../http/sec-purpose.ts';
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
    if (!isPrefetch((field) => request.exchange.header(field))) return undefined;
    return this.#failures.refuse('NG_SSR_PREFETCH_REFUSED', request);
  }

  says({ exchange }: ParsedRequest): Said | undefined {
    if (!isPrefetch((field) => exchange.header(field))) return undefined;
    const reason = 'The request is a prefetch, which causes no render (render.prefetch).';
    return sayRefused('NG_SSR_PREFETCH_REFUSED', reason);
  }
}
