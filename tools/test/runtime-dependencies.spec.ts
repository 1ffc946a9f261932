import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runtimeLock } from '../release/runtime-lock.ts';

const root = join(import.meta.dirname, '../..');
const architecture = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
const OWN = '@ng-ssr/';

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const packages = globSync(['packages/*/package.json', 'native/package.json'], { cwd: root })
  .map((path) => path.replaceAll('\\', '/'))
  .map((path) => ({
    folder: path.slice(0, -'/package.json'.length),
    manifest: JSON.parse(readFileSync(join(root, path), 'utf8')) as Manifest,
  }))
  .filter(({ manifest }) => manifest.private !== true);

/** The rows of the table of dependencies, such as `core isbot`; each has a reason. */
function listed(): string[] {
  const [, section] = /^## Dependencies at run time\n([^]*?)(?=^## |$(?![^]))/m.exec(architecture)!;
  const rows = section!.split('\n').filter((line) => /^\| [\w@]/.test(line));
  return rows.slice(1).map((row) => {
    const [, name, of, reason] = row.split('|').map((cell) => cell.trim());
    expect(reason!.length, name).toBeGreaterThan(10);
    return `${of} ${name}`;
  });
}

test('packages depend at run time on each other, and on what ARCHITECTURE.md lists with its reason', () => {
  const found = packages.flatMap(({ manifest: { name, dependencies = {} } }) =>
    Object.keys(dependencies)
      .filter((dependency) => !dependency.startsWith(OWN))
      .map((dependency) => `${name.slice(OWN.length)} ${dependency}`),
  );
  expect(found.toSorted()).toEqual(listed().toSorted());
});

test('an adapter brings few packages of others along, each in one version', () => {
  const brought = packages.map(({ folder, manifest }) => {
    const lock = runtimeLock(root, folder);
    const paths = Object.keys(lock.packages).filter((path) => path !== '');
    expect(
      paths.filter((path) => path.lastIndexOf('node_modules/') > 0),
      manifest.name,
    ).toEqual([]);
    const others = paths
      .map((path) => path.slice('node_modules/'.length))
      .filter((name) => !name.startsWith(OWN));
    return [manifest.name, others.toSorted()] as const;
  });
  expect(Object.fromEntries(brought)).toMatchObject({
    '@ng-ssr/angular': [],
    '@ng-ssr/dom': [],
    '@ng-ssr/fetch': ['isbot', 'mrmime', 'node-gyp-build'],
    '@ng-ssr/core': ['isbot', 'mrmime', 'node-gyp-build'],
    '@ng-ssr/etag': ['node-gyp-build'],
  });
  const most = Math.max(...brought.map(([, others]) => others.length));
  expect(most).toBeLessThanOrEqual(15);
});
