import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';

const MIB = 1024 * 1024;
/** What an application of some size needs. */
const MIN_MIB = 256;

/**
 * The default heap limit of each thread in MiB. All threads together get half of the memory that the process
 * may use, since V8's default for each would be what a process alone gets. A thread gets at least
 * {@link MIN_MIB}, but never more than the main thread (`--max-old-space-size`).
 */
export function defaultHeapMb(workers: number): number {
  const share = allowedMemory() / 2 / Math.max(1, workers) / MIB;
  const max = getHeapStatistics().heap_size_limit / MIB;
  return Math.floor(Math.min(max, Math.max(MIN_MIB, share)));
}

/** The bytes that the process may use: the limit of its cgroup, or the machine's memory. */
export function allowedMemory(): number {
  return Math.min(process.constrainedMemory?.() || Number.POSITIVE_INFINITY, totalmem());
}
