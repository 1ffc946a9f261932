import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const REPOSITORY = 'https://github.com/ng-ssr/ng-ssr';
const SECTIONS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];

interface Manifest {
  readonly [field: string]: unknown;
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly keywords: readonly string[];
  readonly description: string;
  readonly files: readonly string[];
  readonly exports: Readonly<Record<string, unknown>>;
  readonly engines?: Readonly<Record<string, string>>;
}

const workspaces = globSync(['packages/*', 'native', 'examples/*', 'bench'], { cwd: root })
  .filter((folder) => existsSync(join(root, folder, 'package.json')))
  .map((folder) => folder.replaceAll('\\', '/'))
  .map((folder) => ({ folder, manifest: read(folder) }));
const published = workspaces.filter(({ manifest }) => manifest.private !== true);
const names = published.map(({ manifest }) => manifest.name).toSorted();
/** Runs in browsers: Node's version is no matter of it. */
const IN_BROWSERS = '@ng-ssr/angular';

function read(folder: string): Manifest {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest;
}

test.each(published)(
  'the page of $manifest.name on npm leads back here',
  ({ folder, manifest }) => {
    expect(manifest).toMatchObject({
      homepage: `${REPOSITORY}/tree/main/${folder}#readme`,
      bugs: { url: `${REPOSITORY}/issues` },
      repository: { type: 'git', url: `git+${REPOSITORY}.git`, directory: folder },
      license: 'MIT',
      author: 'The ng-ssr contributors',
      publishConfig: { access: 'public', provenance: true },
    });
    expect(manifest.keywords).toEqual(expect.arrayContaining(['angular', 'ssr']));
    expect(new Set(manifest.keywords).size).toBe(manifest.keywords.length);
    expect(manifest.description).toMatch(/^[A-Z(].{20,}\.$/);
  },
);

test.each(published)('$manifest.name says what it is to bundlers and to Node', ({ manifest }) => {
  expect(manifest).toMatchObject({ type: 'module', sideEffects: false });
  const node = manifest.name === IN_BROWSERS ? undefined : { node: '>=20.16' };
  expect(manifest.engines).toEqual(node);
  expect(manifest.exports).toHaveProperty(['./package.json'], './package.json');
  expect(manifest.files).toContain('dist');
  // The compiled modules are readable: sources and maps would make packages more than twice as large.
  expect(manifest.files.filter((pattern) => /^src|\.ts$/.test(pattern))).toEqual([]);
});

test.each(published)('the page of $manifest.name reads alone', ({ folder, manifest }) => {
  const text = readFileSync(join(root, folder, 'README.md'), 'utf8');
  expect(text.startsWith(`# ${manifest.name}\n`)).toBe(true);
  expect(existsSync(join(root, folder, 'LICENSE'))).toBe(true);
  // npm resolves relative links by repository.directory, and shows no file above the repository.
  const links = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)[^)]*\)/g)].map(([, link]) => link!);
  expect(links.filter((link) => !existsSync(join(root, folder, link)))).toEqual([]);
});

// npm installs a peer that an application lacks in its newest version, and a second Angular beside it.
test.each(published)(
  'the peers of $manifest.name that an application without SSR lacks are optional',
  ({ manifest }) => {
    const optional = (manifest['peerDependenciesMeta'] ?? {}) as Record<string, object>;
    const ofServers = Object.keys((manifest['peerDependencies'] ?? {}) as object).filter((name) =>
      ['@angular/platform-server', '@angular/ssr'].includes(name),
    );
    for (const name of ofServers) expect(optional[name], name).toEqual({ optional: true });
  },
);

test('all packages have one version, and name each other by exactly this version', () => {
  const { version } = published[0]!.manifest;
  const versions = Object.fromEntries(names.map((name) => [name, version]));
  expect(Object.fromEntries(published.map(({ manifest: m }) => [m.name, m.version]))).toEqual(
    versions,
  );
  const others = workspaces.flatMap(({ manifest }) =>
    SECTIONS.flatMap((section) => Object.entries((manifest[section] ?? {}) as Versions))
      .filter(([name, range]) => name.startsWith('@ng-ssr/') && range !== version)
      .map(([name, range]) => `${manifest.name}: ${name}@${range}`),
  );
  expect(others).toEqual([]);
});

test('the version in code is that of the packages', () => {
  const text = readFileSync(join(root, 'packages/core/src/version.ts'), 'utf8');
  expect(/VERSION = '([^']+)'/.exec(text)![1]).toBe(published[0]!.manifest.version);
});

type Versions = Readonly<Record<string, string>>;

test('ng update of an adapter brings all packages of ng-ssr to one version', () => {
  const adapters = published.filter(({ manifest }) => manifest['schematics'] !== undefined);
  expect(adapters.length).toBeGreaterThan(4);
  for (const { folder, manifest } of adapters) {
    const update = manifest['ng-update'] as { packageGroup: string[]; migrations: string };
    expect(update.packageGroup.toSorted(), folder).toEqual(names);
    expect(dirname(update.migrations), folder).toBe(dirname(manifest['schematics'] as string));
  }
});
