import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** What a process has used so far. */
export interface ProcessCost {
  /** CPU time of user and system together, in microseconds. */
  readonly cpuMicroseconds: number;
  /** The most memory it has held, in bytes. */
  readonly peakBytes: number;
}

let ticksPerSecond: number | undefined;

/**
 * Reads what a process has used, whatever program it runs, from the outside.
 *
 * @throws Error where there is no /proc (Linux has it).
 */
export function readProcessCost(pid: number): ProcessCost {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const peak = status.split('\n').find((line) => line.startsWith('VmHWM:'));
  return {
    cpuMicroseconds: readTicks(pid),
    peakBytes: Number(peak?.split(':')[1]?.trim().split(' ')[0] ?? Number.NaN) * 1024,
  };
}

/** The time in ticks of the kernel's clock, a hundred to the second. */
function readTicks(pid: number): number {
  ticksPerSecond ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name in brackets may hold spaces; the fields that count stand behind it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1e6;
}
