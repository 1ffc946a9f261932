/**
 * Makes an Angular workspace measurable: `npm run applications:entry -w @ng-ssr/bench -- WORKSPACE`.
 *
 * Copies the packages into its `node_modules`, so that they use its Angular, and the entries of the servers into
 * `src/bench-sides`. It adds the targets `bench-app` and `bench-common` to the first project of its angular.json: its
 * production build with the app engine, and with CommonEngine, into `dist/bench/app` and `dist/bench/common`. The
 * workspace needs a `src/main.server.ts`. Run it again after `npm install`, which removes the packages.
 */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { benchTargets, benchTsConfig, type Workspace } from './bench-targets.ts';

const root = join(import.meta.dirname, '../../..');
const workspace = resolve(process.env['INIT_CWD'] ?? '.', process.argv[2] ?? '');

const PACKAGES = ['packages/core', 'packages/dom', 'packages/engines', 'native'];
const modules = join(workspace, 'node_modules');
for (const folder of PACKAGES) {
  const { name } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
    name: string;
  };
  for (const part of [
    'package.json',
    'dist',
    ...(folder === 'native' ? ['addon.cjs', 'build'] : []),
  ]) {
    cpSync(join(root, folder, part), join(modules, name, part), { recursive: true });
  }
}
for (const name of ['isbot', 'mrmime', 'node-gyp-build']) {
  cpSync(join(root, 'node_modules', name), join(modules, name), { recursive: true });
}

const sides = join(workspace, 'src/bench-sides');
mkdirSync(sides, { recursive: true });
for (const file of ['app.ts', 'common.ts', 'pages.common.ts', 'side.ts']) {
  const source = readFileSync(join(root, 'bench/render-app/src/sides', file), 'utf8');
  // The name without its ending: workspaces do not rewrite it.
  writeFileSync(
    join(sides, file),
    source.replace('../../../src/micro/plain-exchange.ts', './plain-exchange'),
  );
}
cpSync(join(root, 'bench/src/micro/plain-exchange.ts'), join(sides, 'plain-exchange.ts'));

const TS_CONFIG = 'tsconfig.bench.json';
const writeJson = (file: string, value: object): void =>
  writeFileSync(join(workspace, file), `${JSON.stringify(value, undefined, 2)}\n`);
const angular = JSON.parse(readFileSync(join(workspace, 'angular.json'), 'utf8')) as Workspace;
const project = Object.values(angular.projects)[0]!;
Object.assign(project.architect, benchTargets(project, TS_CONFIG));
writeJson('angular.json', angular);
writeJson(TS_CONFIG, benchTsConfig(project));
