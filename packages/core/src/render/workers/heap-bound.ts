import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';

const MIB = 1024 * 1024;
/** An application of some size needs as much. */
const LEAST_MIB = 256;

/**
 * The bound of each thread's heap where none is given, in MiB: together half of the memory that the
 * process may use, since V8 would give each of them what it gives to a process alone, and never more
 * than the main thread has (`--max-old-space-size`).
 */
export function defaultHeapMb(workers: number): number {
  const allowed = process.constrainedMemory?.() || Number.POSITIVE_INFINITY;
  const share = Math.min(allowed, totalmem()) / 2 / Math.max(1, workers) / MIB;
  const most = getHeapStatistics().heap_size_limit / MIB;
  return Math.floor(Math.min(most, Math.max(LEAST_MIB, share)));
}
