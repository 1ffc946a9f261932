import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

interface Variant {
  readonly engine: string;
  readonly zone: string;
}
interface Row extends Variant {
  readonly version: string;
  readonly pages?: number;
  readonly differences?: number;
  readonly isInformation?: boolean;
}
interface Matrix {
  readonly VERSIONS: readonly string[];
  readonly VARIANTS: readonly Variant[];
  readonly QUICK: readonly { readonly version: string; readonly variants: readonly Variant[] }[];
  readonly packagesOf: (version: string) => Readonly<Record<string, string>>;
  readonly toTable: (rows: readonly Row[]) => string;
  readonly hasFailed: (rows: readonly Row[]) => boolean;
  readonly comparePages: (
    folder: string,
    engine: string,
    isTested: boolean,
  ) => Promise<{ readonly pages: number; readonly differences: readonly string[] }>;
}

const load = (file: string): Promise<unknown> =>
  import(join(import.meta.dirname, '../matrix', file));
const files = ['versions.mjs', 'packages.mjs', 'table.mjs', 'compare.mjs'];
const { VERSIONS, VARIANTS, QUICK, packagesOf, toTable, hasFailed, comparePages } = Object.assign(
  {},
  ...((await Promise.all(files.map(load))) as object[]),
) as Matrix;

const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-matrix-spec-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A build whose servers send what `body` says of `kind`, the name of the server, and `url`. */
function buildOf(body: string): string {
  const server = `
    import { createServer } from 'node:http';
    const { MATRIX_SERVER: kind, PORT } = process.env;
    const asked = [];
    createServer(({ url }, response) => {
      asked.push(url);
      response.end('<html>' + (${body}) + '</html>');
    }).listen(PORT, () => {
      if (kind === 'fast') console.log('The document is that of ng-ssr.');
      console.log('listening on http://localhost:' + PORT);
    });`;
  mkdirSync(join(folder, 'server'), { recursive: true });
  writeFileSync(join(folder, 'server/server.mjs'), server);
  return folder;
}

test('CI runs the oldest and the newest version, each engine and each kind of change detection', () => {
  expect(QUICK.map(({ version }) => version)).toEqual([VERSIONS[0], VERSIONS.at(-1)]);
  const variants = QUICK.flatMap((each) => each.variants);
  expect(variants.map(({ engine }) => engine).sort()).toEqual(['app', 'common']);
  expect(variants.map(({ zone }) => zone).sort()).toEqual(['zone.js', 'zoneless']);
  expect(VARIANTS).toEqual(expect.arrayContaining(variants));
});

test.each([...VERSIONS])('packages of %s have exact versions of its minor', (version) => {
  const minor = version.split('.').slice(0, 2).join('.');
  const angulars = Object.entries(packagesOf(version)).filter(([name]) =>
    name.startsWith('@angular/'),
  );
  expect(angulars.length).toBeGreaterThan(12);
  for (const [name, range] of angulars) {
    expect(range, name).toMatch(new RegExp(`^${minor.replace('.', '\\.')}\\.\\d+$`));
  }
});

test('a prerelease has the newest prereleases of its major version', () => {
  const packages = packagesOf('23.0.0-next.3');
  expect(packages['@angular/core']).toBe('^23.0.0-0');
  expect(packages['@angular/ssr']).toBe('^23.0.0-0');
});

test('pages that are the same are no difference', async () => {
  const { pages, differences } = await comparePages(buildOf('url'), 'app', true);
  expect(differences).toEqual([]);
  expect(pages).toBeGreaterThan(40);
});

test('a page that differs the second time alone is one', async () => {
  const body = `kind === 'fast' && url === '/de/form' && asked.filter((each) => each === url).length === 2 ? 'other' : 'same'`;
  const { differences } = await comparePages(buildOf(body), 'app', true);
  expect(differences).toEqual([
    expect.stringMatching(
      /^fast \/de\/form \(number \d+\): from character 6 on it is .*other.*, not .*same/,
    ),
  ]);
});

test('what the server says of its fast way is one', async () => {
  const body = `(kind === 'fast' && asked.length === 1 && console.error('ng-ssr: NG_SSR_FAST_LEFT: all pages'), url)`;
  const { differences } = await comparePages(buildOf(body), 'app', true);
  expect(differences).toEqual(['fast: NG_SSR_FAST_LEFT: all pages']);
});

test('pages that the wrong DOM has rendered are one', async () => {
  const slow = `(kind === 'not fast' && asked.length === 1 && console.log('The document is that of ng-ssr.'), url)`;
  expect((await comparePages(buildOf(slow), 'app', true)).differences).toEqual([
    'not fast: pages are rendered with our DOM',
  ]);
});

test('the table has a row for each variant, and tells failures', () => {
  const row = { version: '22.0.0', engine: 'app', zone: 'zoneless' };
  const passed = { ...row, pages: 48, differences: 0 };
  const rows = [passed, { ...row, version: '21.2.9', isInformation: true }];
  expect(toTable(rows)).toBe(
    [
      '| Angular                  | engine | zone     | pages | differences |',
      '| ------------------------ | ------ | -------- | ----- | ----------- |',
      '| 21.2.9 (for information) | app    | zoneless | -     | not built   |',
      '| 22.0.0                   | app    | zoneless | 48    | 0           |',
    ].join('\n'),
  );
  expect(hasFailed(rows)).toBe(false);
  expect(hasFailed([passed, row])).toBe(true);
  expect(hasFailed([passed, { ...passed, differences: 1 }])).toBe(true);
  expect(hasFailed([])).toBe(true);
});
