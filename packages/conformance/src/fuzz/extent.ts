/**
 * Whether this run is a short one, as that of `npm test`: NG_SSR_TESTS is `short`. `npm run test:all`, and suites outside
 * this repository, run everything.
 */
export const isShort = process.env['NG_SSR_TESTS'] === 'short';

/** The part of a stress test that a short run does. */
const SHORT_PART = 0.1;

/**
 * How often a stress test repeats its work: a tenth of `count` in a short run.
 *
 * @param count - The whole number, at least 1.
 */
export function stress(count: number): number {
  return isShort ? Math.ceil(count * SHORT_PART) : count;
}
