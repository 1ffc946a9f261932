// The global `performance` may be a test's, whose clock stands still.
import { performance } from 'node:perf_hooks';
import type { Worker } from 'node:worker_threads';

/** Active and idle time of threads, in milliseconds. */
export interface ThreadTimes {
  readonly activeMs: number;
  readonly idleMs: number;
}

/**
 * Only on Node: Bun reports 0 for its own thread and warns when asked for another's; Deno has no times of
 * other threads.
 */
export const areTimesMeasured: boolean =
  process.versions['bun'] === undefined && !('Deno' in globalThis);

/** The times of a thread since its start, of this one by default; both 0 where they are not measured. */
export function timesOf(worker?: Worker): ThreadTimes {
  if (!areTimesMeasured) return { activeMs: 0, idleMs: 0 };
  const { active, idle } = (worker?.performance ?? performance).eventLoopUtilization();
  return { activeMs: active, idleMs: idle };
}

/** The share of the time between two readings in which threads were active; 0 where it is not measured. */
export function utilisationBetween(earlier: ThreadTimes, later: ThreadTimes): number {
  const activeMs = later.activeMs - earlier.activeMs;
  const idleMs = later.idleMs - earlier.idleMs;
  // The times of a thread that was replaced in between start at 0 again.
  if (activeMs <= 0 || idleMs < 0) return 0;
  return activeMs / (activeMs + idleMs);
}
