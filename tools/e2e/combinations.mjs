import { adapters, applications, engines } from './variants.mjs';

/**
 * What `npm run e2e` runs, a row for each workspace: each adapter, each package manager, and each pair of values of
 * the columns in PAIRS. tools/test/e2e-combinations.spec.ts computes these pairs from this table.
 *
 * The start is a new application with Angular's server or without, or a file of applications/, whose checks are the
 * row's. The longest are first. The last column names what is checked beside `ng add`, a build and a page: see extras.mjs.
 */
// prettier-ignore
export const combinations = [
  //   adapter    engine    Angular package start             and
  //                                manager
  row('koa',     'app',    '21', 'npm',  'ng-modules'),
  row('hono',    'app',    '22', 'yarn', 'with SSR',    'doctor', 'add again'),
  row('koa',     'common', '22', 'yarn', 'without SSR'),
  row('express', 'common', '22', 'npm',  'locales'),
  row('express', 'app',    '21', 'npm',  'express-server'),
  row('express', 'app',    '22', 'npm',  'tutorial'),
  row('fastify', 'app',    '22', 'pnpm', 'without SSR', 'doctor', 'imports', 'add again'),
  row('node',    'common', '21', 'pnpm', 'without SSR'),
  row('fastify', 'common', '21', 'npm',  'without SSR', 'oldest Node'),
  row('h3',      'common', '21', 'npm',  'without SSR'),
  row('elysia',  'common', '22', 'npm',  'without SSR', 'doctor', 'add again', 'prettier', 'lint', 'test', 'dist alone'),
  row('node',    'app',    '22', 'npm',  'with SSR',    'doctor', 'add again', 'prettier', 'lint', 'wrong project', 'npm ci', 'dist alone'),
];

/**
 * The columns of which each pair of values has a row. Their packages are the five that users add: hono, h3 and elysia
 * are the frameworks of one of them.
 */
export const PAIRS = [
  ['packageName', 'engine'],
  ['packageName', 'angular'],
  ['packageManager', 'engine'],
  ['packageManager', 'angular'],
  ['engine', 'angular'],
];

/**
 * The pairs without a row. To a package manager the packages differ by their package.json alone. With Angular 21
 * Yarn wants rollup for every platform, and a registry need not have all of them.
 */
export const WITHOUT_ROW = [
  'yarn, 21',
  '@ng-ssr/node, yarn',
  '@ng-ssr/koa, pnpm',
  '@ng-ssr/fastify, yarn',
  '@ng-ssr/express, pnpm',
  '@ng-ssr/express, yarn',
  '@ng-ssr/fetch, pnpm',
];

/** The engines with which a row has each of extras.mjs. Where it is one, the other engine's part in it is none. */
export const ENGINES_OF_EXTRAS = {
  doctor: ['app', 'common'],
  imports: ['app'],
  'add again': ['app', 'common'],
  prettier: ['app', 'common'],
  lint: ['app', 'common'],
  // The engines differ in the server's options, which tests do not see.
  test: ['common'],
  'wrong project': ['app'],
  // What is installed is the same with both.
  'npm ci': ['app'],
  'dist alone': ['app', 'common'],
  'oldest Node': ['common'],
  // The row of locales changes the engine.
  'other engine': [],
  // The application of `--all` for Yarn has it.
  node_modules: [],
  // The example has a spec of it.
  'ng serve': [],
};

/**
 * What `--all` runs in the place of the rows: each application, on the first of these Angulars, and each adapter on
 * each engine and each of them, under npm.
 */
export function allCombinations(angulars) {
  const product = angulars.flatMap((angular) =>
    Object.keys(adapters).flatMap((adapter) =>
      Object.keys(engines).map((engine) => {
        const { start } = engines[engine];
        const also = allExtras(adapter, engine, angular);
        return row(adapter, engine, angular.major, 'npm', start, ...also);
      }),
    ),
  );
  return [...applications.map((start) => ({ start, angular: angulars[0].major })), ...product];
}

/**
 * Whether a row is asked for.
 *
 * @param names - Adapters, applications, and package managers, which are applications of `--all`.
 */
export function isChosen({ adapter, engine, angular, packageManager, start }, chosen) {
  return (
    [adapter, packageManager, start].some((name) => chosen.names.includes(name)) &&
    (engine === undefined || chosen.engines.includes(engine)) &&
    chosen.majors.includes(angular)
  );
}

/** Where Angular is not whole, one adapter shows for all that a build runs alone, and `ng serve`. */
function allExtras(adapter, engine, { isWhole }) {
  const isExample = adapter === 'koa' && engine === 'app';
  const isCommon = engine === 'common';
  return [
    ...['add again', 'prettier', 'lint'],
    ...(isCommon ? ['test'] : []),
    ...(isWhole ? ['doctor', 'wrong project', 'npm ci'] : []),
    ...(isWhole || isExample ? ['dist alone'] : []),
    // No newer Angular runs on it.
    ...(!isWhole && isExample ? ['oldest Node'] : []),
    ...(isCommon && adapter === 'koa' ? ['other engine'] : []),
    ...(!isCommon && (isWhole || isExample) ? ['ng serve'] : []),
  ];
}

function row(adapter, engine, angular, packageManager, start, ...extras) {
  const { packageName } = adapters[adapter];
  return { adapter, packageName, engine, angular, packageManager, start, extras };
}
