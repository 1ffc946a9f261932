/** The middle of several rounds, and how far they lay apart. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** The middle of several rounds, and the half of them that lies around it. */
export interface Quartiles {
  readonly median: number;
  readonly lower: number;
  readonly upper: number;
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

/** Of values that lie between two others, the lower. */
export function quartilesOf(values: readonly number[]): Quartiles {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (part: number): number => sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN;
  return { median: at(0.5), lower: at(0.25), upper: at(0.75) };
}
