/**
 * Makes an Angular workspace measurable: `npm run applications:entry -w @ng-ssr/bench -- WORKSPACE`.
 *
 * Copies the packages into its `node_modules`, so that they use its Angular, and the entry of the server into
 * `src/bench-sides`, which angular.json then names: `"outputMode": "server"`,
 * `"ssr": { "entry": "src/bench-sides/app.ts" }`.
 */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

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
for (const file of ['app.ts', 'common.ts', 'side.ts']) {
  const source = readFileSync(join(root, 'bench/render-app/src/sides', file), 'utf8');
  writeFileSync(join(sides, file), source.replace('../../../src/micro/', './'));
}
cpSync(join(root, 'bench/src/micro/plain-exchange.ts'), join(sides, 'plain-exchange.ts'));
