import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { ChildReport, ChildSettings } from './child.ts';

/** How a child process has ended. */
export interface Exit {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** When, by performance.now(). */
  readonly atMs: number;
  /** What it said on stderr. */
  readonly errors: string;
  readonly report: ChildReport | undefined;
}

/** A server in a process of its own. */
export interface Child {
  readonly port: number;
  readonly process: ChildProcess;
  readonly exited: Promise<Exit>;
}

/** Starts a server, and waits until it listens. */
export async function startChild(
  program: URL,
  settings: ChildSettings,
  command: readonly [string, ...string[]] = [process.execPath],
): Promise<Child> {
  const [binary, ...parameters] = command;
  const child = spawn(binary, [...parameters, fileURLToPath(program), JSON.stringify(settings)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // Under `test` Express says nothing of errors.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const lines = createInterface({ input: child.stdout });
  const said: string[] = [];
  lines.on('line', (line) => said.push(line));
  // Not `exit`, which may come before what it said has been read.
  const exited = once(child, 'close').then(([code, signal]): Exit => {
    const report = said.length > 1 ? (JSON.parse(said.at(-1)!) as ChildReport) : undefined;
    return { code, signal, atMs: performance.now(), errors, report };
  });
  await Promise.race([
    once(lines, 'line'),
    exited.then(({ code }) => Promise.reject(new Error(`the child ended with ${code}: ${errors}`))),
  ]);
  return { port: Number(said[0]), process: child, exited };
}
