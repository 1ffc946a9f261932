import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const core = 'packages/core/src';

function linesOf(file: string): number {
  return readFileSync(join(root, file), 'utf8').split('\n').length - 1;
}

function sum(pattern: string): number {
  return globSync(pattern, { cwd: root }).reduce((lines, file) => lines + linesOf(file), 0);
}

/** The files that a file imports, types too, relative to the sources of the core. */
function importsOf(file: string): readonly string[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(join(root, file), 'utf8'));
  const own = importedFiles.filter(({ fileName }) => fileName.startsWith('.'));
  return own.map(({ fileName }) => relative(core, join(file, '..', fileName)));
}

/** Files that are longer than others may be, with the reason. None grows, and none is added. */
const LONG: Readonly<Record<string, number>> = {
  // One table.
  [`${core}/error-codes.ts`]: 700,
  // One state machine each.
  [`${core}/pages/page-cache.ts`]: 440,
  [`${core}/features/calls/cache/call-cache.ts`]: 350,
  [`${core}/render/scheduler.ts`]: 345,
  'packages/redis/src/redis-page-store.ts': 355,
  // Cases of one rule each, and the properties of CSS.
  'packages/conformance/src/cases/rendered-encodings.ts': 310,
  'packages/dom/src/css/style-declaration.ts': 305,
};

test('a file has at most 300 lines', () => {
  const files = globSync('{packages/*,native}/src/**/*.ts', { cwd: root });
  const generated = /xxh3-binary|page-assets/;
  const long = files.filter((file) => !generated.test(file) && linesOf(file) > (LONG[file] ?? 300));
  expect(long).toEqual([]);
  expect(Object.keys(LONG).filter((file) => linesOf(file) <= 300)).toEqual([]);
});

/** Lines of the rooms of the core, comments included. Who needs more takes some away elsewhere, or says why. */
const ROOMS: Readonly<Record<string, number>> = {
  path: 2528,
  pages: 4835,
  answers: 896,
  http: 1507,
  host: 918,
  options: 386,
  features: 15903,
};

test.each(Object.entries(ROOMS))('the room %s of the core has at most %i lines', (room, most) => {
  expect(sum(`${core}/${room}/**/*.ts`)).toBeLessThanOrEqual(most);
});

test('the core has at most 40,832 lines', () => {
  expect(sum(`${core}/**/*.ts`)).toBeLessThanOrEqual(40_832);
});

test('one composition of 120 lines, and a request path of twelve parts', () => {
  expect(linesOf(`${core}/path/compose.ts`)).toBeLessThanOrEqual(120);
  const source = readFileSync(join(root, core, 'path/path-parts.ts'), 'utf8');
  const { statements } = ts.createSourceFile('path-parts.ts', source, ts.ScriptTarget.Latest);
  const found = statements.filter(ts.isInterfaceDeclaration);
  const parts = found.find(({ name }) => name.text === 'PathParts');
  expect(parts?.members.length).toBeLessThanOrEqual(12);
});

test('the request path and what it is made of need no module of Node', () => {
  const needs = globSync(`${core}/path/**/*.ts`, { cwd: root }).filter((file) =>
    /from 'node:/.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(needs).toEqual([]);
});

/** What packages export. */
const KNOW_FEATURES = ['index.ts', 'neutral.ts', 'store.ts'];

test('a feature is known in the exports alone', () => {
  const files = globSync(`${core}/**/*.ts`, { cwd: root });
  const importers = files
    .filter((file) => !file.startsWith(`${core}/features/`))
    .filter((file) => importsOf(file).some((path) => path.startsWith('features/')))
    .map((file) => relative(core, file));
  expect(importers.sort()).toEqual(KNOW_FEATURES);
});

test('no feature imports another one', () => {
  const files = globSync(`${core}/features/**/*.ts`, { cwd: root });
  const between = files.flatMap((file) => {
    const [, own] = relative(core, file).split('/');
    const others = importsOf(file).filter((path) => /^features\//.test(path));
    return others.filter((path) => path.split('/')[1] !== own).map((path) => `${file}: ${path}`);
  });
  expect(between).toEqual([]);
});
