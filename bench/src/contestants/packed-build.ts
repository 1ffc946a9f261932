import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

/**
 * Copies the example's build as it is, and packs the copy with the command that users run.
 *
 * @throws Error when the example is not built, or the command fails.
 */
export function packBuild(from: string, to: string): void {
  if (!existsSync(join(from, 'server/server.mjs'))) {
    throw new Error('the example is not built: run "npm run build" first');
  }
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true, preserveTimestamps: true });
  const command = join(root, 'packages/node/bin/ng-ssr.js');
  const { status, stderr } = spawnSync(process.execPath, [command, 'pack', to], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
}
