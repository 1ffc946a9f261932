import { getHeapStatistics } from 'node:v8';
import { allowedMemory } from '../../allowed-memory.ts';

/** What an application of some size needs. */
const MIN_BYTES = 256 * 1024 * 1024;

/**
 * The default heap limit of each thread. All threads together get half of the memory that the process
 * may use, since V8's default for each would be what a process alone gets. A thread gets at least
 * {@link MIN_BYTES}, but never more than the main thread (`--max-old-space-size`).
 */
export function defaultHeapBytes(threads: number): number {
  const share = allowedMemory() / 2 / Math.max(1, threads);
  const max = getHeapStatistics().heap_size_limit;
  return Math.floor(Math.min(max, Math.max(MIN_BYTES, share)));
}
