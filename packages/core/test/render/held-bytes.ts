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
