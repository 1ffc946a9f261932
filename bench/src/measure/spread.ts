/** The middle of several rounds, and how far they lay apart. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** Of an even count, the lower of the two in the middle. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  return {
    median: sorted[(sorted.length - 1) >> 1] ?? Number.NaN,
    min: sorted[0] ?? Number.NaN,
    max: sorted.at(-1) ?? Number.NaN,
  };
}
