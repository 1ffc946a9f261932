// The global `performance` may be a test's, whose clock stands still.
import { performance } from 'node:perf_hooks';
import type { Worker } from 'node:worker_threads';
import type { ThreadTimes } from './utilisation.ts';

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
