import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './child-process.mjs';
import { checkServer } from './http-checks.mjs';
import { frameworks } from './variants.mjs';
import { childEnv } from './workspace.mjs';

const SERVER = 'dist/shop/server/server.mjs';

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
  return checkServer(folder, SERVER, { hasAddon: true, extraEnv: { NODE_ENV: 'production' } });
}

/** `dist/` alone: the twin writes the same tags, and that is said once. */
export async function checkAlone(workspace, folder) {
  mkdirSync(folder);
  cpSync(join(workspace, 'dist'), join(folder, 'dist'), { recursive: true });
  assert.deepEqual(readdirSync(folder), ['dist']);
  return checkServer(folder, SERVER, { hasAddon: false, extraEnv: { NODE_ENV: 'production' } });
}

export { SERVER };
