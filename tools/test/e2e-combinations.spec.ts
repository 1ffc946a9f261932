import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

type Column = 'adapter' | 'packageName' | 'engine' | 'angular' | 'packageManager' | 'start';
type Row = Readonly<Record<Column, string>> & { readonly extras: readonly string[] };
interface Choice {
  readonly names: readonly string[];
  readonly engines: readonly string[];
  readonly majors: readonly string[];
}
interface Combinations {
  readonly combinations: readonly Row[];
  readonly PAIRS: readonly (readonly [Column, Column])[];
  readonly WITHOUT_ROW: readonly string[];
  readonly ENGINES_OF_EXTRAS: Readonly<Record<string, readonly string[]>>;
  readonly allCombinations: (angulars: readonly object[]) => readonly Row[];
  readonly isChosen: (row: Row, choice: Choice) => boolean;
}
interface Variants {
  readonly adapters: Readonly<Record<string, { readonly packageName: string }>>;
  readonly applications: readonly string[];
}

const e2e = join(import.meta.dirname, '../e2e');
const load = (file: string): Promise<unknown> => import(join(e2e, file));
const { combinations, PAIRS, WITHOUT_ROW, ENGINES_OF_EXTRAS, allCombinations, isChosen } =
  (await load('combinations.mjs')) as Combinations;
const { adapters, applications } = (await load('variants.mjs')) as Variants;
const { extras } = (await load('extras.mjs')) as { readonly extras: object };
const { packageManagers } = (await load('package-managers/index.mjs')) as {
  readonly packageManagers: object;
};

const values: Readonly<Record<string, readonly string[]>> = {
  packageName: [...new Set(Object.values(adapters).map(({ packageName }) => packageName))],
  engine: ['app', 'common'],
  angular: ['21', '22'],
  packageManager: Object.keys(packageManagers),
};

/** The pairs of values of two columns that no row has. */
function missingPairs(first: Column, second: Column): string[] {
  const covered = new Set(combinations.map((row) => `${row[first]}, ${row[second]}`));
  const all = values[first]!.flatMap((one) => values[second]!.map((other) => `${one}, ${other}`));
  return all.filter((pair) => !covered.has(pair));
}

test('each adapter has a row', () => {
  const missing = Object.keys(adapters).filter(
    (adapter) => !combinations.some((row) => row.adapter === adapter),
  );
  expect(missing).toEqual([]);
});

test.each(PAIRS)('each pair of %s and %s has a row, but those of WITHOUT_ROW', (first, second) => {
  const missing = missingPairs(first, second);
  expect(missing.filter((pair) => !WITHOUT_ROW.includes(pair))).toEqual([]);
});

test('WITHOUT_ROW names no pair that a row has', () => {
  const columns = [...PAIRS, ['packageName', 'packageManager'] as const];
  const missing = columns.flatMap(([first, second]) => missingPairs(first, second));
  expect(missing.toSorted()).toEqual(WITHOUT_ROW.toSorted());
});

test('each check has a row for the engines that it is promised for', () => {
  const found = Object.keys(extras).map((name) => [
    name,
    values['engine']!.filter((engine) =>
      combinations.some((row) => row.engine === engine && row.extras.includes(name)),
    ),
  ]);
  expect(Object.fromEntries(found)).toEqual(ENGINES_OF_EXTRAS);
});

test('rows name checks and starts that exist', () => {
  const files = readdirSync(join(e2e, 'applications'));
  expect(applications.filter((name) => !files.includes(`${name}.mjs`))).toEqual([]);
  const starts = ['with SSR', 'without SSR', ...applications];
  for (const row of [...combinations, ...allCombinations([{ major: '22', isWhole: true }])]) {
    expect(starts).toContain(row.start);
    expect(Object.keys(extras)).toEqual(expect.arrayContaining([...(row.extras ?? [])]));
  }
});

test('--all has each adapter on each engine and Angular, and each application', () => {
  const angulars = [
    { major: '22', isWhole: true },
    { major: '21', isWhole: false },
  ];
  const all = allCombinations(angulars);
  expect(all.filter(({ start }) => applications.includes(start))).toHaveLength(applications.length);
  const product = all.filter(({ start }) => !applications.includes(start));
  const keys = product.map((row) => `${row.adapter} ${row.engine} ${row.angular}`);
  expect(new Set(keys).size).toBe(Object.keys(adapters).length * 4);
  // `node_modules` and `imports` are of package managers, which have applications there.
  const checked = new Set(product.flatMap((row) => row.extras));
  expect(Object.keys(extras).filter((name) => !checked.has(name))).toEqual([
    'imports',
    'node_modules',
  ]);
});

test('--only, --engine and --angular choose rows', () => {
  const everything = { engines: ['app', 'common'], majors: ['21', '22'] };
  const chosen = (choice: Partial<Choice>): string[] =>
    combinations
      .filter((row) => isChosen(row, { names: [], ...everything, ...choice }))
      .map(({ adapter, start, angular }) => `${adapter} ${start} ${angular}`);
  expect(chosen({ names: ['pnpm'] })).toEqual(['fastify without SSR 22', 'node without SSR 21']);
  expect(chosen({ names: ['locales'] })).toEqual(['express locales 22']);
  expect(chosen({ names: ['express'] })).toEqual([
    'express locales 22',
    'express express-server 21',
    'express tutorial 22',
  ]);
  expect(chosen({ names: ['node'], engines: ['app'] })).toEqual(['node with SSR 22']);
  expect(chosen({ names: ['fastify'], majors: ['21'] })).toEqual(['fastify without SSR 21']);
});
