import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { cpuMs } from './cpu-ms.ts';

/** What wrk is to do. */
export interface WrkLoad {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly seconds: number;
  readonly connections: number;
  readonly threads: number;
  /** What to put before its command. */
  readonly prefix: readonly string[];
}

/** What wrk counted. */
export interface WrkCount {
  readonly requests: number;
  /** Of the answers, heads and bodies, as they came. */
  readonly bytes: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU time of wrk itself, in microseconds. */
  readonly cpuUs: number;
}

/**
 * wrk makes the load of every row: a generator on Node leaves a server idle whose answers are small.
 *
 * @throws Error with the command that installs it, where it is missing.
 */
export function requireWrk(): void {
  try {
    execFileSync('wrk', ['--version'], { stdio: 'ignore' });
  } catch (error) {
    // It prints its version and exits with 1.
    if ((error as { code?: unknown }).code !== 'ENOENT') return;
    throw new Error('wrk, which makes the load, is not installed: run "apt-get install wrk"', {
      cause: error,
    });
  }
}

/**
 * Runs wrk for some seconds, also for parts of one: its option knows whole seconds, but SIGINT ends it early.
 *
 * @throws Error when wrk saw an error or a status other than 2xx and 3xx, or no answer.
 */
export async function runWrk(load: WrkLoad): Promise<WrkCount> {
  const [command, ...args] = [
    ...load.prefix,
    ...['wrk', `-t${load.threads}`, `-c${Math.max(load.connections, load.threads)}`, '--latency'],
    // The bound for a benchmark that was killed meanwhile.
    `-d${Math.ceil(load.seconds) + 5}s`,
    ...Object.entries(load.headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
    load.url,
  ];
  const child = spawn(command!, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk));
  const ended = new AbortController();
  const cpuUs = interruptAfter(child, load.seconds, ended.signal);
  try {
    await new Promise<void>((resolve, reject) => {
      child.once('error', reject).once('close', () => resolve());
    });
  } finally {
    ended.abort();
  }
  const count = { ...readOutput(output), cpuUs: await cpuUs };
  if (Number.isNaN(count.requests)) throw new Error(`wrk ends with "${output.trim()}"`);
  if (count.requests === 0) throw new Error(`no answer in ${load.seconds} s`);
  const complaint = output.match(/.*(?:Non-2xx|Socket errors).*/)?.[0].trim();
  if (complaint !== undefined) throw new Error(`wrk reports "${complaint}"`);
  return count;
}

/**
 * Ends wrk some seconds after it has begun, which it has when it catches SIGINT: before, the signal would kill it.
 *
 * @returns its CPU time in microseconds; 0 when it has ended by itself, and its output says why.
 */
async function interruptAfter(
  child: ChildProcess,
  seconds: number,
  signal: AbortSignal,
): Promise<number> {
  try {
    while (!catchesInterrupt(child.pid!)) await wait(5, undefined, { signal });
    await wait(seconds * 1000, undefined, { signal });
    const cpuUs = cpuMs(child.pid!) * 1000;
    child.kill('SIGINT');
    return cpuUs;
  } catch {
    return 0;
  }
}

function catchesInterrupt(pid: number): boolean {
  const mask = readFileSync(`/proc/${pid}/status`, 'utf8').match(/^SigCgt:\s*(\S+)/m)?.[1];
  return (BigInt(`0x${mask}`) & 2n) !== 0n;
}

const TIMES: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1000, m: 60_000 };
const SIZES: Readonly<Record<string, number>> = { '': 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 };

function toMs(text: string | undefined): number {
  const [, value, unit = ''] = text?.match(/([\d.]+)(us|ms|s|m)/) ?? [];
  return Number(value) * (TIMES[unit] ?? Number.NaN);
}

/** Reads the summary that wrk prints. */
export function readOutput(output: string): Omit<WrkCount, 'cpuUs'> {
  const [, requests, time, bytes, unit = ''] =
    output.match(/(\d+) requests in (\S+), ([\d.]+)([KMG]?)B read/) ?? [];
  return {
    requests: Number(requests),
    bytes: Number(bytes) * (SIZES[unit] ?? Number.NaN),
    seconds: toMs(time) / 1000,
    p50Ms: toMs(output.match(/^\s+50%\s+(\S+)/m)?.[1]),
    p99Ms: toMs(output.match(/^\s+99%\s+(\S+)/m)?.[1]),
  };
}
