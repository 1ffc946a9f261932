import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import type { Cost, Work } from './load.ts';
import { readProcessCost } from './process-cost.ts';

const run = promisify(execFile);

/** Whether wrk is installed. */
export function hasWrk(): boolean {
  try {
    execFileSync('wrk', ['--version'], { stdio: 'ignore' });
  } catch (error) {
    return (error as { code?: unknown }).code !== 'ENOENT'; // It prints its version and exits 1.
  }
  return true;
}

const UNITS: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1000, m: 60_000 };

function toMs(text: string | undefined): number {
  const [, value, unit = ''] = text?.match(/([\d.]+)(us|ms|s|m)/) ?? [];
  return Number(value) * (UNITS[unit] ?? Number.NaN);
}

/**
 * Loads a server with wrk for some seconds: its clock is finer, and it loads harder.
 *
 * @throws Error when wrk saw an error or a status other than 2xx and 3xx.
 */
export async function measureWithWrk(
  server: { readonly origin: string; readonly pid: number },
  work: Work,
  { connections = 20, seconds = 1.5 } = {},
): Promise<Cost> {
  const fields = Object.entries({ accept: 'text/html', 'user-agent': 'bench', ...work.headers });
  const args = [
    ...['-t1', `-c${connections}`, `-d${Math.max(1, Math.round(seconds))}s`, '--latency'],
    ...fields.flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
    server.origin + work.path,
  ];
  const before = readProcessCost(server.pid);
  const { stdout } = await run('wrk', args);
  const after = readProcessCost(server.pid);
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`wrk reports errors at ${work.path}`);
  const requests = Number(stdout.match(/(\d+) requests in/)?.[1]);
  return {
    microseconds: (after.cpuMicroseconds - before.cpuMicroseconds) / requests,
    requestsPerSecond: Number(stdout.match(/Requests\/sec:\s+([\d.]+)/)?.[1]),
    p50Ms: toMs(stdout.match(/50%\s+(\S+)/)?.[1]),
    p99Ms: toMs(stdout.match(/99%\s+(\S+)/)?.[1]),
  };
}
