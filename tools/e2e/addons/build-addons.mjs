import { existsSync, globSync, statSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { missingFor, targets } from '../../../native/tools/targets.mjs';
import { env, root } from '../../environment.mjs';
import { run } from '../child-process.mjs';

const native = join(root, 'native');
const SOURCES = ['binding.gyp', 'src/cpp/*', 'tools/targets.mjs', 'tools/prebuild.mjs'];

/**
 * Builds addons that the package is published with: those for Linux for which this machine has the
 * compilers, else its own alone. What is newer than its sources is left.
 *
 * @param names - Of the targets of native/tools/targets.mjs.
 */
export async function buildAddons(names) {
  const possible = Object.values(targets).filter(
    (target) => names.includes(target.name) && missingFor(target) === undefined,
  );
  if (platform() === 'linux' && possible.some((target) => target.arch === arch())) {
    const outdated = possible.filter(({ file }) => !isNew(join(native, file)));
    if (outdated.length === 0) return;
    await prebuildify(['--target', outdated.map(({ name }) => name).join(',')]);
  } else if (!existsSync(join(native, 'prebuilds', `${platform()}-${arch()}`))) {
    await prebuildify([]);
  }
}

function isNew(file) {
  const modified = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = globSync(SOURCES, { cwd: native }).map((path) => join(native, path));
  return modified(file) > Math.max(...sources.map(modified));
}

async function prebuildify(options) {
  const args = ['run', 'prebuildify', '-w', '@ng-ssr/etag', '--', ...options];
  await run('npm', args, { cwd: root, env: env() });
}
