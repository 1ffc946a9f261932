import { createHash } from 'node:crypto';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { env, root } from '../environment.mjs';
import { run } from './child-process.mjs';
import { once } from './once.mjs';
import { writePages } from './pages.mjs';

export { ANGULAR } from './angulars.mjs';

/** Without output that is not needed, and without questions. */
export const childEnv = env({
  NG_CLI_ANALYTICS: 'false',
  NO_COLOR: '1',
  CI: 'true',
  NG_ALLOWED_HOSTS: '',
  npm_config_prefer_offline: 'true',
  // The CLI keeps what Node has compiled by its path. Here each path is new: that costs a build 1.5 s of 10.
  NODE_DISABLE_COMPILE_CACHE: '1',
});

/** A program that a workspace has installed: npx, which finds it too, takes most of a second for that. */
export function programOf(workspace, name) {
  return join(workspace, 'node_modules/.bin', name);
}

/** What every workspace's `.npmrc` has besides our own scope. */
export const QUIET = 'audit=false\nfund=false\nupdate-notifier=false\nloglevel=error\n';

/**
 * The workspaces that users start from, each made once, when it is first asked for: `ng new` as it asks
 * nothing, with tests and Prettier; with a page to prerender and one to render; installed, formatted, with
 * angular-eslint. And the same after `ng add @angular/ssr`.
 *
 * @param npmrc - The line that makes npm ask our registry for our scope.
 * @param angular - Angular's version, of its CLI too, and angular-eslint's for it.
 * @param hasLint - Whether angular-eslint is there.
 * @returns By name, what resolves to the folder of each; and `cli`, which resolves to the program `ng`.
 */
export function createStarts(folder, npmrc, { version, eslint }, hasLint) {
  const cli = once(() => installCli(join(folder, 'cli'), version));
  const runIn = (cwd, name, ...words) => run(programOf(cwd, name), words, { cwd, env: childEnv });
  const withoutSsr = once(async () => {
    const args = ['new', 'shop', '--no-ssr', '--defaults', '--skip-git', '--skip-install'];
    await run(await cli(), [...args, '--ai-config', 'none'], { cwd: folder, env: childEnv });
    const workspace = join(folder, 'shop');
    pin(workspace, version);
    writePages(workspace);
    writeFileSync(join(workspace, '.npmrc'), `${QUIET}${npmrc}\n`);
    await run('npm', ['install'], { cwd: workspace, env: childEnv });
    // The CLI formats what it writes into a workspace, and not what it makes a workspace of.
    await runIn(workspace, 'prettier', '--write', '.');
    if (hasLint) {
      await runIn(workspace, 'ng', 'add', `angular-eslint@${eslint}`, '--skip-confirmation');
    }
    return workspace;
  });
  const withSsr = once(async () => {
    const workspace = join(folder, 'with-SSR');
    await copyWorkspace(await withoutSsr(), workspace);
    await runIn(workspace, 'ng', 'add', `@angular/ssr@${version}`, '--skip-confirmation');
    return workspace;
  });
  return { cli, 'without SSR': withoutSsr, 'with SSR': withSsr };
}

/** Not a start's own: a CLI that is in a workspace makes no other. */
async function installCli(folder, version) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  writeFileSync(join(folder, '.npmrc'), QUIET);
  await run('npm', ['install', `@angular/cli@${version}`], { cwd: folder, env: childEnv });
  return join(folder, 'node_modules/.bin/ng');
}

/** A copy of a workspace, its node_modules by hard links. */
export async function copyWorkspace(from, to) {
  mkdirSync(to, { recursive: true });
  const isOwn = (path) =>
    !path.startsWith(join(from, 'node_modules')) && !path.includes('.angular');
  cpSync(from, to, { recursive: true, filter: isOwn });
  await linkModules(from, to);
}

/** Gives a workspace the packages of another one, by hard links. What it has beside them is left to install. */
export async function linkModules(from, to) {
  await run('cp', ['-al', join(from, 'node_modules'), join(to, 'node_modules')], {
    cwd: to,
    env: childEnv,
  });
  // npm writes into this file where it is; the rest it replaces.
  const lock = 'node_modules/.package-lock.json';
  const text = readFileSync(join(from, lock));
  rmSync(join(to, lock));
  writeFileSync(join(to, lock), text);
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/**
 * Vite 8.4.0 needs a package for Windows that not every registry has: `npm install` leaves it out, and `npm ci` then
 * refuses the lock file.
 */
const LACKING = { 'vite@^8.4.0': '8.3.8' };

/** Has every package of Angular in one version: those of different patches do not install together. */
export function pin(workspace, angular) {
  const path = join(workspace, 'package.json');
  const manifest = readJson(path);
  // What `npm ci` needs here, it needs there: the same tools are below both.
  manifest.overrides = { ...readJson(join(root, 'package.json')).overrides, ...LACKING };
  for (const section of [manifest.dependencies, manifest.devDependencies]) {
    for (const name of Object.keys(section)) {
      if (name.startsWith('@angular/')) section[name] = angular;
    }
  }
  writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`);
}

/** A digest of every file that is the user's, to see that nothing has changed. */
export function digestOf(workspace) {
  const hash = createHash('sha256');
  const files = globSync('**/*', {
    cwd: workspace,
    withFileTypes: true,
    exclude: (entry) => ['node_modules', 'dist', '.angular'].includes(entry.name),
  });
  for (const entry of files.filter((file) => file.isFile())) {
    const path = join(entry.parentPath, entry.name);
    hash.update(path).update(readFileSync(path));
  }
  return hash.digest('hex');
}
