import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** What a process and those that it has started have used so far. */
export interface ProcessCost {
  /** CPU time of user and system together, in microseconds. */
  readonly cpuMicroseconds: number;
  /** The most memory each has held, in bytes, together. */
  readonly peakBytes: number;
}

let ticksPerSecond: number | undefined;

/** A process and those that it has started, as a server under node:cluster has. */
export function processTree(pid: number): readonly number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((thread) => {
    try {
      return readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').trim().split(' ');
    } catch {
      return []; // The thread has ended meanwhile, or the kernel does not list them.
    }
  });
  return [
    pid,
    ...children.filter((child) => child !== '').flatMap((child) => processTree(Number(child))),
  ];
}

/**
 * Reads what a process has used, whatever program it runs, from the outside.
 *
 * @throws Error where there is no /proc (Linux has it).
 */
export function readProcessCost(pid: number): ProcessCost {
  let [cpuMicroseconds, peakBytes] = [0, 0];
  for (const each of processTree(pid)) {
    cpuMicroseconds += readTicks(each);
    peakBytes += readPeak(each);
  }
  return { cpuMicroseconds, peakBytes };
}

function readPeak(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const peak = status.split('\n').find((line) => line.startsWith('VmHWM:'));
  return Number(peak?.split(':')[1]?.trim().split(' ')[0] ?? Number.NaN) * 1024;
}

/** The time in ticks of the kernel's clock, a hundred to the second. */
function readTicks(pid: number): number {
  ticksPerSecond ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name in brackets may hold spaces; the fields that count stand behind it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1e6;
}
