/** A case in which an adapter's responses may differ from the reference's, and why. */
export interface KnownDifference {
  /** The adapter's name, as in its results. */
  readonly name: string;
  readonly case: string;
  /** What the framework cannot do otherwise. */
  readonly reason: string;
}

/** What our adapters cannot answer as the reference does; each row must still be true. */
export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [];
