import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Contestant } from './contestant.ts';
import { readProcessCost } from './process-cost.ts';

/** A contestant that runs. */
export interface Server {
  readonly origin: string;
  /** The process whose CPU time and memory count. */
  readonly pid: number;
  stop(): Promise<void>;
}

/** What runs now; nothing of it outlives the benchmark, however that ends. */
const running = new Set<ChildProcess>();
process.once('exit', () => running.forEach((child) => child.kill()));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

/**
 * Starts a contestant and waits until it says where it listens.
 *
 * @throws Error when it ends before.
 */
export async function startServer(
  contestant: Contestant,
  prefix: readonly string[],
): Promise<Server> {
  const [command, ...args] = [...prefix, ...contestant.command];
  const child = spawn(command!, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PORT: '0',
      NODE_ENV: 'production',
      NG_ALLOWED_HOSTS: 'localhost,127.0.0.1',
      ...contestant.env,
    },
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  let pid = child.pid;
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => (complaint = `${complaint}${chunk}`.slice(-2000)));
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      // A program that starts another server names the process that does the work.
      const other = line.split('Process ')[1];
      if (other !== undefined) pid = Number(other);
      const listening = line.split('Listening on ')[1];
      if (listening !== undefined) resolve(listening);
    });
    child.once('error', reject);
    void exited.then(() => reject(new Error(`ended before it listened: ${reasonIn(complaint)}`)));
  });
  return {
    origin: `${new URL(url).protocol}//127.0.0.1:${new URL(url).port}`,
    pid: pid!,
    stop: async (): Promise<void> => {
      child.kill();
      await exited;
    },
  };
}

/** The line of a program's last words that says what was wrong. */
function reasonIn(complaint: string): string {
  const lines = complaint.trim().split('\n');
  return lines.find((line) => /^\w*Error\b/.test(line)) ?? lines.at(-1) ?? 'without a message';
}

/** Encodings are made after start, on threads of the process: its CPU time must have come to rest. */
export async function settle(pid: number): Promise<void> {
  const deadline = Date.now() + 60_000;
  let before = readProcessCost(pid).cpuMicroseconds;
  while (Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 300));
    const now = readProcessCost(pid).cpuMicroseconds;
    if (now - before <= 10_000) return;
    before = now;
  }
  throw new Error('a server is busy 60 s after its start without any request');
}
