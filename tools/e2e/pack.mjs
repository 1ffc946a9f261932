import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { env, root } from '../environment.mjs';
import { run } from './child-process.mjs';

/** The folders of the packages that are published, in the order of their names. */
export function publicPackages() {
  const folders = readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name));
  return [...folders, join(root, 'native')]
    .filter((folder) => existsSync(join(folder, 'package.json')))
    .map((folder) => ({ folder, manifest: readManifest(folder) }))
    .filter(({ manifest }) => manifest.private !== true);
}

export function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

/**
 * Packs every package as npm publishes it.
 *
 * @returns For each its package.json, the path of its tarball, the paths in it, and its sizes in bytes.
 */
export async function packAll(to) {
  mkdirSync(to, { recursive: true });
  const packages = publicPackages();
  const names = packages.flatMap(({ manifest }) => ['-w', manifest.name]);
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', to, ...names];
  const { output } = await run('npm', args, { cwd: root, env: env() });
  const packed = Object.values(JSON.parse(output.slice(output.search(/[[{]/))));
  return packages.map(({ folder, manifest }) => {
    const { filename, files, size, unpackedSize } = packed.find(
      ({ name }) => name === manifest.name,
    );
    const tarball = join(to, filename.replace('@', '').replace('/', '-'));
    const paths = files.map(({ path }) => path).toSorted();
    return { folder, manifest, tarball, files: paths, size, unpackedSize };
  });
}
