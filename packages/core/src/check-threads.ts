import { availableParallelism } from 'node:os';
import { check } from './check-option.ts';

/** So many threads may be asked for on any machine, and four for each core. */
const LEAST_ALLOWED = 16;
const PER_CORE = 4;

/**
 * Checks a number of threads: each has a heap of its own, and more than there are cores serve nothing faster.
 *
 * @throws SsrError `NG_SSR_OPTION_INVALID`
 */
export function checkThreads(name: string, threads: unknown, least: number): void {
  const cores = availableParallelism();
  const most = Math.max(LEAST_ALLOWED, PER_CORE * cores);
  const isCount = Number.isSafeInteger(threads) && (threads as number) >= least;
  const range = `a whole number from ${least} to ${most} on this machine (${cores} cores), or 'auto'`;
  check(name, threads, threads === 'auto' || (isCount && (threads as number) <= most), range);
}
