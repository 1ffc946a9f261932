import { spawnSync } from 'node:child_process';
import type { TestContext } from 'vitest';

/** Skips a test where a program is missing. With CI=true it fails instead: there no test may be skipped. */
export function needsProgram({ skip }: TestContext, program: string, install: string): void {
  if (spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined) return;
  const reason = `no ${program} on PATH: "${install}"`;
  if (process.env['CI'] === 'true') throw new Error(reason);
  skip(reason);
}
