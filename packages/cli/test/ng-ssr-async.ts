import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const BIN = join(import.meta.dirname, '../bin/ng-ssr.js');

/** The command's result, with its whole output. */
export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `ng-ssr` to its end, while this process goes on to answer. */
export async function runNgSsr(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Ended> {
  const { NG_SSR_TOKEN: _token, ...own } = process.env;
  const child = spawn(process.execPath, [BIN, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...own, ...env },
  });
  const outputs = Promise.all([text(child.stdout), text(child.stderr)]);
  const [status] = (await once(child, 'exit')) as [number | null];
  const [stdout, stderr] = await outputs;
  return { status, stdout, stderr };
}
