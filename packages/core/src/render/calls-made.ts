import type { Provenance } from './provenance.ts';

/** The calls of a render, as far as its page depends on them. */
export interface CallsMade {
  readonly count: number;
  /** From the first call's start to the last one's end, without times in which none was in flight. */
  readonly durationMs: number;
  /** Of all responses together. A call that failed is not fresh. Undefined without calls. */
  readonly provenance: Provenance | undefined;
  /** Whether a call has failed because it would have waited for itself: the page may be another without that chain. */
  readonly hasLoop: boolean;
}
