import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TESTED_ANGULARS } from '../../packages/engines/src/tested-angulars.ts';

interface Schematics {
  readonly SUPPORTED: string;
  readonly TESTED_ANGULARS: typeof TESTED_ANGULARS;
}

const root = join(import.meta.dirname, '../..');
// A module of CommonJS, which the types of these specs do not allow.
const schematics = join(root, 'packages/schematics/src/angular-version.ts');
const { SUPPORTED, TESTED_ANGULARS: TESTED_BY_SCHEMATICS } = (await import(
  schematics
)) as Schematics;
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const [oldest] = TESTED_ANGULARS[0]!;
const newest = TESTED_ANGULARS.at(-1)![1];

test('schematics have the list of the engines', () => {
  expect(TESTED_BY_SCHEMATICS).toEqual(TESTED_ANGULARS);
});

test('each package with Angular as a peer has the range that ng add supports', () => {
  const ranges = globSync('packages/*/package.json', { cwd: root }).flatMap((path) => {
    const { peerDependencies = {} } = JSON.parse(read(path)) as {
      readonly peerDependencies?: Readonly<Record<string, string>>;
    };
    return Object.entries(peerDependencies)
      .filter(([name]) => name.startsWith('@angular/'))
      .map(([name, range]) => `${path} ${name} ${range}`);
  });
  expect(ranges.length).toBeGreaterThan(5);
  expect(ranges.filter((line) => !line.endsWith(` ${SUPPORTED}`))).toEqual([]);
});

test('the documentation lists the tested versions', () => {
  const tested = TESTED_ANGULARS.map((row) => [...new Set(row)].join(' to ')).join(', ');
  expect(read('docs/start/ng-add.md').replaceAll('\n', ' ')).toContain(tested);
});

test('the repository is on the newest version of the list', () => {
  const { version } = JSON.parse(read('node_modules/@angular/core/package.json')) as {
    readonly version: string;
  };
  expect(newest).toBe(version);
});

test.each([
  'README.md',
  'docs/start/ng-add.md',
  'docs/migrating/common-engine.md',
  'docs/migrating/spartacus.md',
  'packages/angular/README.md',
])('%s names the oldest version', (path) => {
  const text = read(path);
  expect(text).toContain(`Angular 21 (${oldest} or later)`);
  expect(text).not.toMatch(/Angular 21 (?:and|or) 22/);
});
