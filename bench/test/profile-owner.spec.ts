import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ownedFunctions } from '../src/applications/profile-application.ts';
import { ownerOf, OWNERS } from '../src/applications/profile-owner.ts';
import { functionsTable, ownersTable } from '../src/applications/profile-tables.ts';
import { timesOf } from '../src/applications/take-profile.ts';

const folder = mkdtempSync(join(tmpdir(), 'bench-profiles-'));
afterAll(() => rmSync(folder, { recursive: true }));

const script = pathToFileURL(join(folder, 'chunk-A.mjs')).href;
// A line for each. That of the first begins at the name of "function a(", which was "createView".
const SOURCES = [
  'node_modules/@angular/core/fesm2022/core.mjs',
  'node_modules/primeng/fesm2022/primeng-table.mjs',
  'src/app/shop.ts',
];

beforeAll(() => {
  const map = {
    version: 3,
    sources: SOURCES,
    names: ['createView'],
    mappings: 'SAUAA;AC+BA;ACnCA;A',
  };
  writeFileSync(join(folder, 'chunk-A.mjs.map'), JSON.stringify(map));
});

const frame = (functionName: string, url = '', lineNumber = -1, columnNumber = -1) => ({
  functionName,
  scriptId: '0',
  url,
  lineNumber,
  columnNumber,
});

/** Two samples of the same function by different callers; each sample lasts until the next. */
const PROFILE = {
  startTime: 0,
  endTime: 1000,
  nodes: [
    { id: 1, callFrame: frame('(root)') },
    { id: 2, callFrame: frame('(idle)') },
    { id: 3, callFrame: frame('(garbage collector)') },
    { id: 4, callFrame: frame('a', script, 0, 10) },
    { id: 5, callFrame: frame('a', script, 0, 10) },
    { id: 6, callFrame: frame('get', script, 1, 5) },
    { id: 7, callFrame: frame('helper', 'file:///elsewhere/helper.mjs', 3, 1) },
    { id: 8, callFrame: frame('push') },
    { id: 9, callFrame: frame('spread', script, 0, 2) },
  ],
  samples: [2, 4, 5, 3, 6, 7, 8, 9, 2],
  timeDeltas: [5, 400, 100, 300, 200, 100, 100, 100, 100],
};

/** The samples last 400 (idle), 100 + 300 (a), 200 (collector), and 100 each. */
const FUNCTIONS = () => ownedFunctions(timesOf(PROFILE));

it('adds up the time of a function, without waiting', () => {
  const times = timesOf(PROFILE).map(({ functionName, selfUs }) => [functionName, selfUs]);
  expect(times).toEqual([
    ['(garbage collector)', 200],
    ['a', 400],
    ['get', 100],
    ['helper', 100],
    ['push', 100],
    ['spread', 100],
  ]);
});

it('finds owners, names and places of functions by the source maps of bundles', () => {
  expect(FUNCTIONS()).toEqual([
    { owner: OWNERS.collector, name: '(garbage collector)', place: 'V8', share: 0.2 },
    {
      owner: OWNERS.angular,
      name: 'createView',
      place: '@angular/core/fesm2022/core.mjs:11',
      share: 0.4,
    },
    {
      owner: 'library primeng',
      name: 'get',
      place: 'primeng/fesm2022/primeng-table.mjs:42',
      share: 0.1,
    },
    {
      owner: 'unknown: helper.mjs',
      name: 'helper',
      place: 'file:///elsewhere/helper.mjs:4',
      share: 0.1,
    },
    { owner: OWNERS.v8, name: 'push', place: 'V8', share: 0.1 },
    {
      owner: 'unknown: code without a source',
      name: 'spread',
      place: 'chunk-A.mjs, unmapped',
      share: 0.1,
    },
  ]);
});

it.each([
  ['node_modules/@angular/platform-server/third_party/domino/bundled-domino.mjs', OWNERS.dom],
  ['node_modules/@angular/domino/lib/Node.js', OWNERS.dom],
  ['node_modules/@ng-ssr/dom/dist/element.js', OWNERS.dom],
  ['node_modules/@ng-ssr/dom/dist/bytes/write-document.js', OWNERS.dom],
  ['node_modules/@ng-ssr/dom/dist/bytes/selector-matches.js', OWNERS.criticalCss],
  ['node_modules/@ng-ssr/engines/dist/fast/critical-css.js', OWNERS.criticalCss],
  ['node_modules/beasties/dist/index.mjs', OWNERS.criticalCss],
  ['node_modules/@ng-ssr/engines/dist/fast/fast-path.js', OWNERS.ours],
  ['node_modules/@angular/ssr/fesm2022/ssr.mjs', OWNERS.angular],
  ['../k8-fastbuild-ST-1/bin/packages/core/primitives/signals/src/graph.ts', OWNERS.angular],
  ['angular:main-server-inject-manifest:angular:main-server-inject-manifest', OWNERS.angular],
  ['node_modules/rxjs/dist/esm/internal/Subscription.js', OWNERS.angular],
  ['node_modules/@angular/cdk/fesm2022/a11y.mjs', 'library @angular/cdk'],
  ['node_modules/@coreui/angular/fesm2022/coreui-angular.mjs', 'library @coreui/angular'],
  ['node_modules/zone.js/fesm2015/zone-node.js', OWNERS.zone],
  ['node_modules/xhr2/lib/xhr2.js', OWNERS.node],
  ['src/bench-sides/app.ts', OWNERS.bench],
  ['src/app/app.ts', OWNERS.application],
])('%s: %s', (source, owner) => {
  expect(ownerOf(frame('f', script), { source, line: 1, name: 'f' })).toBe(owner);
});

it.each(['node:internal/deps/undici/undici', 'wasm://wasm/00034eea'])('%s is of Node', (url) => {
  expect(ownerOf(frame('f', url), { source: url, line: 1, name: 'f' })).toBe(OWNERS.node);
});

it('prints shares and CPU time of each side, which add up to all', () => {
  const ours = FUNCTIONS().filter(({ owner }) => owner === OWNERS.angular);
  const table = ownersTable([
    { side: 'app/bare', mainUs: 20_000, functions: FUNCTIONS() },
    { side: 'app/ours', mainUs: 5000, functions: ours.map((one) => ({ ...one, share: 1 })) },
  ]);
  expect(table.split('\n')).toEqual([
    '| share of | app/bare | app/ours |',
    '| --- | --- | --- |',
    '| Angular, router, rxjs | 40.0% 8.00 ms | 100.0% 5.00 ms |',
    '| library primeng | 10.0% 2.00 ms | - |',
    '| garbage collector | 20.0% 4.00 ms | - |',
    "| V8's builtins, (program) | 10.0% 2.00 ms | - |",
    '| unknown: code without a source | 10.0% 2.00 ms | - |',
    '| unknown: helper.mjs | 10.0% 2.00 ms | - |',
    '| all | 100.0% 20.00 ms | 100.0% 5.00 ms |',
  ]);
});

it('has one row for libraries that take little of each side', () => {
  const share = (owner: string, of1: number) => ({ owner, name: 'f', place: 'p', share: of1 });
  const functions = [share('library a', 0.004), share('library b', 0.003), share('library c', 0.9)];
  const table = ownersTable([{ side: 'app/bare', mainUs: 10_000, functions }]);
  expect(table).toContain('| library c | 90.0% 9.00 ms |\n| other libraries | 0.7% 0.07 ms |');
});

it('prints the functions that take most', () => {
  const table = functionsTable({ side: 'app/bare', mainUs: 20_000, functions: FUNCTIONS() });
  expect(table.split('\n')[2]).toBe(
    '| createView | @angular/core/fesm2022/core.mjs:11 | Angular, router, rxjs | 40.0% 8.00 ms |',
  );
});
