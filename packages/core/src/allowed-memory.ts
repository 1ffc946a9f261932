import { totalmem } from 'node:os';

/** The bytes that the process may use: the limit of its cgroup, or the machine's memory. */
export function allowedMemory(): number {
  return Math.min(process.constrainedMemory?.() || Number.POSITIVE_INFINITY, totalmem());
}
