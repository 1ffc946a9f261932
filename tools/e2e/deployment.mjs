import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { env } from '../environment.mjs';
import { run } from './child-process.mjs';
import { checkServer } from './http-checks.mjs';
import { frameworks } from './variants.mjs';
import { childEnv } from './workspace.mjs';

const SERVER = 'dist/shop/server/server.mjs';
/** The server of node has no route. */
const DEPLOYED = { hasRoute: false, extraEnv: { NODE_ENV: 'production' } };
/** As in `engines` of every package. */
export const OLDEST_NODE = 20;

/** `dist/` beside what `npm ci --omit=dev` installs: the addon is found, no other framework is there. */
export async function checkInstalled(workspace, folder, { peers }) {
  mkdirSync(folder);
  for (const name of ['package.json', 'package-lock.json', '.npmrc', 'dist']) {
    cpSync(join(workspace, name), join(folder, name), { recursive: true });
  }
  await run('npm', ['ci', '--omit=dev'], { cwd: folder, env: childEnv });
  const installed = frameworks.filter((name) => existsSync(join(folder, 'node_modules', name)));
  assert.deepEqual(
    installed.filter((name) => !peers.includes(name)),
    [],
    'a framework that is not the adapter’s was installed',
  );
  return checkServer(folder, SERVER, { hasAddon: true, ...DEPLOYED });
}

/** `dist/` alone: the twin writes the same tags, and that is said once. */
export async function checkAlone(workspace, folder) {
  mkdirSync(folder);
  cpSync(join(workspace, 'dist'), join(folder, 'dist'), { recursive: true });
  assert.deepEqual(readdirSync(folder), ['dist']);
  return checkServer(folder, SERVER, { hasAddon: false, ...DEPLOYED });
}

/** The build under the oldest Node that the packages are for; npm has it as a package for this machine. */
export async function checkOldestNode(workspace, folder) {
  const name = `node-${process.platform}-${process.arch}`;
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const args = ['install', '--no-audit', `${name}@${OLDEST_NODE}`];
  await run('npm', args, { cwd: folder, env: env() });
  const node = join(folder, 'node_modules', name, 'bin/node');
  const { output } = await run(node, ['--version'], { cwd: folder, env: childEnv });
  assert.match(output, new RegExp(`^v${OLDEST_NODE}\\.`));
  return checkServer(workspace, SERVER, { hasAddon: true, command: [node] });
}

export { SERVER };
