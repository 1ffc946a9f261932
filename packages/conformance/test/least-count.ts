/** How often a test may fail by chance: once in ten million runs. */
const MAY_FAIL = 1e-7;

/**
 * The least number of successes that a test over random inputs may demand: fewer come once in ten million runs.
 *
 * @param trials - The number of independent inputs.
 * @param chance - The probability of a success, from above 0 to below 1.
 */
export function leastCount(trials: number, chance: number): number {
  // Of the binomial distribution: the sum of its terms, each made of the one before it. Logarithms do not underflow.
  let logTerm = trials * Math.log1p(-chance);
  let fewer = 0;
  for (let count = 0; count < trials; count++) {
    fewer += Math.exp(logTerm);
    if (fewer > MAY_FAIL) return count;
    logTerm += Math.log(trials - count) - Math.log(count + 1) + Math.log(chance / (1 - chance));
  }
  return trials;
}
