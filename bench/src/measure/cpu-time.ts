import { readdirSync, readFileSync } from 'node:fs';
import { processTree, readProcessCost } from './process-cost.ts';

/** The CPU time of a process, and of those that it has started, at one moment. */
export interface CpuReading {
  /** Nanoseconds of each thread that lives, as the scheduler counts them. */
  readonly threads: ReadonlyMap<string, number>;
  /** Microseconds of all threads that ever were, in the coarse ticks of its `stat`. */
  readonly ticksUs: number;
}

/** Reads the CPU time of a process, from the outside. */
export function readCpu(pid: number): CpuReading {
  const threads = new Map<string, number>();
  for (const process of processTree(pid)) {
    for (const thread of readdirSync(`/proc/${process}/task`)) {
      try {
        const stat = readFileSync(`/proc/${process}/task/${thread}/schedstat`, 'utf8');
        threads.set(thread, Number(stat.split(' ')[0]));
      } catch {
        // The thread has ended meanwhile, or the kernel keeps no such statistics.
      }
    }
  }
  return { threads, ticksUs: readProcessCost(pid).cpuMicroseconds };
}

/** Microseconds between two readings: to the nanosecond, or in ticks where a thread has ended with its count. */
export function cpuBetween(before: CpuReading, after: CpuReading): number {
  const hasAll = [...before.threads.keys()].every((thread) => after.threads.has(thread));
  if (!hasAll || after.threads.size === 0) return after.ticksUs - before.ticksUs;
  let nanoseconds = 0;
  for (const [thread, running] of after.threads) {
    nanoseconds += running - (before.threads.get(thread) ?? 0);
  }
  return nanoseconds / 1000;
}
