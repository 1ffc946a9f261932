import { availableParallelism } from 'node:os';
import { option, type Option } from './option.ts';

/** So many threads may be asked for on any machine, and four for each core. */
const LEAST_ALLOWED = 16;
const PER_CORE = 4;

/** A number of threads: each has a heap of its own, and more than there are cores serve nothing faster. */
export function threadCount(least: number): Option<number | 'auto'> {
  const cores = availableParallelism();
  const most = Math.max(LEAST_ALLOWED, PER_CORE * cores);
  const isCount = (given: unknown): boolean =>
    Number.isSafeInteger(given) && (given as number) >= least && (given as number) <= most;
  return option(
    (given) => given === 'auto' || isCount(given),
    `a whole number from ${least} to ${most} on this machine (${cores} cores), or 'auto'`,
  );
}
