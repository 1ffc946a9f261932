import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

export const BIN: string = join(import.meta.dirname, '../bin/ng-ssr.js');

/** The command's result, with its whole output. */
export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `ng-ssr` to its end. */
export function ngSsr(args: readonly string[], env: NodeJS.ProcessEnv = {}, cwd?: string): Ended {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...args], {
    encoding: 'utf8',
    cwd,
    env: { ...process.env, ...env },
    timeout: 60_000,
  });
  return { status, stdout, stderr };
}
