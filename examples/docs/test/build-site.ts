import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const TARGET = '@ng-ssr/example-docs:build:site';

/**
 * Builds the site where nx's cache does not have it, before the first spec starts. The packages that it needs are built
 * already, and stay as they are: servers of other specs are loading their files.
 */
export default function buildSite(): void {
  const root = join(import.meta.dirname, '../../..');
  const nx = join(root, 'node_modules/nx/dist/bin/nx.js');
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [nx, 'run', TARGET, '--excludeTaskDependencies', '--output-style=static'],
    { cwd: root, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`${TARGET} failed:\n${stdout}\n${stderr}`);
}
