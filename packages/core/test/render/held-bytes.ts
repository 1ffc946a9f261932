import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
/** What a finalizer lets go of is collected the next time. */
const COLLECTIONS = 5;

/**
 * The bytes, on the heap and beside it, that somebody still needs.
 *
 * @param collections - Fewer for a rough number: each takes a twentieth of a second.
 */
export async function heldBytes(collections = COLLECTIONS): Promise<number> {
  for (let i = 0; i < collections; i++) {
    collectGarbage();
    await turn();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** A leak shows in each of them; a table that grows, or a function that is compiled, in one. */
export const BATCHES = 4;
/** A busy machine compiles later. */
const MOST_BATCHES = 12;

/** The bytes that a batch leaves at least, of four or more: further ones follow while each leaves `enough`. */
export async function leastGrowth(batch: () => unknown, enough: number): Promise<number> {
  let least = Infinity;
  let before = await heldBytes();
  for (let count = 0; count < BATCHES || (count < MOST_BATCHES && least >= enough); count++) {
    await batch();
    const after = await heldBytes();
    least = Math.min(least, after - before);
    before = after;
  }
  return least;
}
