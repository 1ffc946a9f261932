import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run } from '../child-process.mjs';
import { newApplication } from '../new-application.mjs';
import { writePages } from '../pages.mjs';
import { childEnv } from '../workspace.mjs';

const PNPM = 'pnpm@10.34.9';

const workspaceSettings = (folder) => `packages:
  - apps/*
# No package is reached but by those that depend on it.
hoist: false
# For "pnpm deploy".
injectWorkspacePackages: true
storeDir: ${join(folder, 'store')}
cacheDir: ${join(folder, 'cache')}
`;

/** Installs pnpm in a folder, which has its store too. Returns the folder and the environment in which `pnpm` is there. */
export async function installPnpm(folder) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  await run('npm', ['install', PNPM], { cwd: folder, env: childEnv });
  const bin = join(folder, 'node_modules/.bin');
  // On CI pnpm would not change its lock file, as `ng add` must.
  return { folder, env: { ...childEnv, CI: undefined, PATH: bin + delimiter + childEnv.PATH } };
}

/** A new application in a workspace of pnpm: a package reaches its own dependencies alone. See index.mjs. */
export async function createWithPnpm({ start, starts, tools, place, npmrc, angular }) {
  const root = join(place, 'acme');
  const flags = ['--package-manager', 'pnpm', '--minimal', SSR_FLAGS[start]];
  const inputs = { starts, place: join(root, 'apps'), npmrc, angular };
  const workspace = await newApplication(flags, inputs);
  writePages(workspace);
  const { folder, env } = await tools.pnpm();
  writeFileSync(join(root, 'package.json'), '{ "name": "acme", "private": true }\n');
  writeFileSync(join(root, 'pnpm-workspace.yaml'), workspaceSettings(folder));
  cpSync(join(workspace, '.npmrc'), join(root, '.npmrc'));
  const pnpm = (args, more) => run('pnpm', args, { cwd: workspace, env, ...more });
  await pnpm(['install']);
  return {
    root,
    workspace,
    env,
    pnpm,
    node: [process.execPath],
    ngSsr: ['pnpm', 'ng-ssr'],
    ng: (args, more) => pnpm(['ng', ...args], more),
    build: async () => {
      await pnpm(['build']);
      // Neither the application nor the workspace has the package with the addon.
      assert.ok(!existsSync(join(workspace, 'node_modules/@ng-ssr/etag')));
      assert.ok(!existsSync(join(root, 'node_modules/@ng-ssr')));
    },
  };
}

const SSR_FLAGS = { 'with SSR': '--ssr', 'without SSR': '--no-ssr' };
