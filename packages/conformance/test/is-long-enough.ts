/** How many times its usual length a random test becomes at most. */
const MOST = 20;

/**
 * Whether a random test has had enough cases: the usual number, and every kind that it has to see. An unlucky seed makes
 * the test longer; it does not fail it. The test still checks after its loop what it has seen: a kind that is missing
 * from 20 times the usual number does not occur.
 *
 * @param count - The number of cases so far.
 * @param usual - The usual number.
 * @param hasSeenAll - Whether the test has seen what it has to see.
 */
export function isLongEnough(count: number, usual: number, hasSeenAll: () => boolean): boolean {
  return count >= usual && (count >= MOST * usual || hasSeenAll());
}
