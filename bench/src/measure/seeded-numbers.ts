/** Whole numbers below 2^32 from a seed (Mulberry32): the same in each run. */
export function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

/** The same items in another order (Fisher and Yates). */
export function shuffled<T>(items: readonly T[], next: () => number): T[] {
  const all = [...items];
  for (let last = all.length - 1; last > 0; last--) {
    const other = next() % (last + 1);
    [all[last], all[other]] = [all[other]!, all[last]!];
  }
  return all;
}
