/** The calls of a render, as far as its page depends on them. */
export interface CallsMade {
  readonly count: number;
  /** From the first call's start to the last one's end, without times in which none was under way. */
  readonly durationMs: number;
  /** Of all responses: a purge of one of them is one of the page. */
  readonly tags: readonly string[];
  /**
   * How long the response that expires first is fresh, in seconds from the end of the render; 0 if one may not be
   * stored by a shared cache. Undefined without calls.
   */
  readonly freshSeconds: number | undefined;
  /** Whether a call has carried credentials of the request that caused the render. */
  readonly isPersonal: boolean;
  /** Whether a call has failed because it would have waited for itself: the page may be another without that chain. */
  readonly hasLoop: boolean;
}
