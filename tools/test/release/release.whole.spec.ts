import { globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { startNpmRegistry } from './npm-registry.ts';
import { WorkingCopy } from './working-copy.ts';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 60_000 });

const copy = new WorkingCopy();
afterAll(() => rmSync(dirname(copy.folder), { recursive: true, force: true }));

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly [section: string]: unknown;
}
type Lock = { readonly packages: Readonly<Record<string, Manifest>> };

const WORKSPACES = ['packages/*', 'native', 'bench', 'examples/*'];
const SECTIONS = ['dependencies', 'devDependencies', 'peerDependencies'];
const NO_PREBUILDS =
  /native\/prebuilds lacks darwin-arm64, .*linux-x64 \(musl\), win32-arm64, win32-x64/;

function read(path: string): string {
  return readFileSync(join(copy.folder, path), 'utf8');
}

function manifests(): Manifest[] {
  const paths = WORKSPACES.map((folder) => `${folder}/package.json`);
  return globSync(paths, { cwd: copy.folder }).map((path) => JSON.parse(read(path)) as Manifest);
}

const before = manifests()[0]!.version;
const published = manifests().filter((manifest) => manifest.private !== true);

/** Writes a file as each platform's build would: what is in it is not read here. */
function writePrebuilds(): void {
  const platforms = ['darwin-arm64', 'darwin-x64', 'win32-arm64', 'win32-x64'];
  const linux = ['linux-arm64/etag.glibc', 'linux-arm64/etag.musl', 'linux-x64/etag.glibc'];
  for (const path of [
    ...platforms.map((each) => `${each}/etag`),
    ...linux,
    'linux-x64/etag.musl',
  ]) {
    const file = join(copy.folder, `native/prebuilds/${path}.node`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '');
  }
}

/** The dependencies on packages of the workspace, as `@ng-ssr/koa@0.1.0`, of all manifests or a lock's entries. */
function ownRanges(all: readonly Manifest[]): string[] {
  return all.flatMap((manifest) =>
    SECTIONS.flatMap((section) => Object.entries((manifest[section] ?? {}) as object))
      .filter(([name]) => name.startsWith('@ng-ssr/'))
      .map(([name, range]) => `${name}@${range}`),
  );
}

test('a version plan is shown by a dry run, and then applied to everything that names the version', () => {
  const plan = join(copy.folder, '.nx/version-plans/sitemap.md');
  // Plans of this checkout wait for their release.
  rmSync(dirname(plan), { recursive: true, force: true });
  mkdirSync(dirname(plan), { recursive: true });
  writeFileSync(plan, '---\npackages: major\n---\n\nPages can be warmed from a sitemap.\n');
  copy.commit();
  // Builds are not needed to see a plan; what lacks is in the way.
  const dry = copy.release();
  expect(dry.output).toContain(`version ${before} -> 0.2.0\n`);
  expect(dry.output).toContain('Pages can be warmed from a sitemap.');
  expect(dry.output).toContain('Version plans wait (sitemap.md)');
  expect(copy.git('status', '--porcelain')).toBe('');

  const prepared = copy.release(['--prepare']);
  expect(prepared).toMatchObject({ status: 0 });
  expect(prepared.output).toContain('The packages are 0.2.0 now.');
  expect(new Set(manifests().map(({ version }) => version))).toEqual(new Set(['0.2.0']));
  const ranges = ownRanges(manifests());
  expect(ranges.length).toBeGreaterThan(60);
  expect(ranges.filter((each) => !each.endsWith('@0.2.0'))).toEqual([]);
  expect(read('packages/core/src/version.ts')).toContain("VERSION = '0.2.0'");
  const { packages } = JSON.parse(read('package-lock.json')) as Lock;
  const own = Object.entries(packages).filter(([path]) => !/^$|node_modules/.test(path));
  expect(own).toHaveLength(manifests().length);
  expect(own.filter(([, { version }]) => version !== '0.2.0')).toEqual([]);
  expect(ownRanges(own.map(([, entry]) => entry)).toSorted()).toEqual(ranges.toSorted());
  const headings = [...read('CHANGELOG.md').matchAll(/^##? (\S+)/gm)].map(([, text]) => text);
  expect(headings).toEqual(['Changelog', '0.2.0', before]);
  expect(copy.git('status', '--porcelain')).toContain(' D .nx/version-plans/sitemap.md');
  const formatted = copy.run('prettier', ['--check', 'packages/*/package.json', 'CHANGELOG.md']);
  expect(formatted.status, formatted.output).toBe(0);
  copy.commit();
});

test('packages of the new version build and have their types', () => {
  const built = copy.run('tsc', [
    '-b',
    'native/tsconfig.json',
    ...globSync('packages/*/tsconfig.json', { cwd: copy.folder }),
  ]);
  expect(built).toEqual({ status: 0, output: '' });
  writeFileSync(join(copy.folder, 'native/dist/xxh3-binary.js'), read('native/src/xxh3-binary.js'));
});

test('nothing is published from a changed tree, another branch or without every addon', () => {
  const ofBranch = copy.release(['--publish', '--tag', 'v0.1.9']);
  expect(ofBranch.status).toBe(1);
  expect(ofBranch.output).toContain('Nothing is published:');
  expect(ofBranch.output).toMatch(NO_PREBUILDS);
  expect(ofBranch.output).toContain('HEAD is not a commit of origin/main');
  expect(ofBranch.output).toContain('The tag is v0.1.9, the packages are 0.2.0.');
  expect(ofBranch.output).not.toContain('The working tree has changes');

  writePrebuilds();
  copy.git('push', '--quiet', 'origin', 'main');
  writeFileSync(join(copy.folder, 'packages/koa/src/more.ts'), '');
  const ofChanges = copy.release(['--publish', '--tag', 'v0.2.0']);
  expect(ofChanges.status).toBe(1);
  expect(ofChanges.output.match(/^ {2}- .*/gm)).toEqual([
    '  - The working tree has changes: commit or stash them.',
  ]);
  rmSync(join(copy.folder, 'packages/koa/src/more.ts'));
});

test('packages are published after those that they need, once, as what they are', async () => {
  await using registry = await startNpmRegistry();
  // npm makes a provenance in CI alone.
  const args = ['--publish', '--no-provenance', '--tag', 'v0.2.0'];
  const packed = copy.release(['--pack', '../packed', '--tag', 'v0.2.0']);
  expect(packed.output).toContain('version 0.2.0\n');
  expect(packed.status, packed.output).toBe(0);
  expect(registry.published).toEqual([]);
  const tarball = join(copy.folder, '../packed/ng-ssr-koa-0.2.0.tgz');
  const bytes = readFileSync(tarball);
  writeFileSync(tarball, Buffer.concat([bytes, Buffer.from('more')]));
  const toPublish = ['../packed', '--no-provenance', '--tag', 'v0.2.0'];
  const changed = await copy.runBesides('publish.mjs', toPublish, registry.environment);
  expect(changed.output).toContain('ng-ssr-koa-0.2.0.tgz is not the tarball that was packed');
  expect([changed.status, registry.published.length]).toEqual([1, 0]);
  writeFileSync(tarball, bytes);
  // As the job that publishes: it has no node_modules.
  const modules = join(copy.folder, 'node_modules');
  renameSync(modules, `${modules}-away`);
  const first = await copy.runBesides('publish.mjs', toPublish, registry.environment);
  renameSync(`${modules}-away`, modules);
  expect(first.status, first.output).toBe(0);
  const order = registry.published.map(({ name }) => name);
  expect(order.toSorted()).toEqual(published.map(({ name }) => name).toSorted());
  for (const [at, publication] of registry.published.entries()) {
    expect(publication).toMatchObject({ access: 'public', 'dist-tags': { latest: '0.2.0' } });
    const needed = Object.keys(publication.versions['0.2.0']!.dependencies ?? {});
    const later = needed.filter((name) => name.startsWith('@ng-ssr/') && order.indexOf(name) > at);
    expect(later, publication.name).toEqual([]);
  }

  const second = await copy.runBesides('release.mjs', args, registry.environment);
  expect(second.status).toBe(0);
  expect(registry.published).toHaveLength(order.length);
  expect(second.output.match(/is published already\./g)).toHaveLength(order.length);
  expect(copy.release(['--notes']).output).toContain('Pages can be warmed from a sitemap.');
});
