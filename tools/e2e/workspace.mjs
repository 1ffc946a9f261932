import { createHash } from 'node:crypto';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { env, root } from '../environment.mjs';
import { run } from './child-process.mjs';

/** The Angular that the repository is on: its packages of other patches do not install together. */
export const ANGULAR = readJson(join(root, 'node_modules/@angular/core/package.json')).version;

/** Quiet, and asking nobody anything. */
export const childEnv = env({
  NG_CLI_ANALYTICS: 'false',
  NO_COLOR: '1',
  CI: 'true',
  NG_ALLOWED_HOSTS: '',
  npm_config_prefer_offline: 'true',
});

/** What every workspace's `.npmrc` has besides our own scope. */
const QUIET = 'audit=false\nfund=false\nupdate-notifier=false\nloglevel=error\n';

/**
 * Makes the workspaces that users start from, once: `ng new`, with a page to prerender and one to
 * render, installed; and the same after `ng add @angular/ssr`, whose files the CLI has formatted with
 * the workspace's Prettier.
 *
 * @param npmrc - The line that makes npm ask our registry for our scope.
 * @param angular - The version of Angular, of its CLI too.
 * @returns The folder of each, by name.
 */
export async function createStarts(folder, npmrc, angular = ANGULAR) {
  const cli = join(folder, 'cli');
  mkdirSync(cli, { recursive: true });
  writeFileSync(join(cli, 'package.json'), '{ "private": true }');
  writeFileSync(join(cli, '.npmrc'), QUIET);
  await run('npm', ['install', `@angular/cli@${angular}`], { cwd: cli, env: childEnv });
  const ng = join(cli, 'node_modules/.bin/ng');

  const args = ['new', 'shop', '--no-ssr', '--minimal', '--defaults', '--skip-git'];
  await run(ng, [...args, '--skip-install', '--ai-config', 'none'], { cwd: folder, env: childEnv });
  const workspace = join(folder, 'shop');
  pin(workspace, angular);
  writePages(workspace);
  writeFileSync(join(workspace, '.npmrc'), `${QUIET}${npmrc}\n`);
  await run('npm', ['install'], { cwd: workspace, env: childEnv });

  const withSsr = join(folder, 'with-SSR');
  await copyWorkspace(workspace, withSsr);
  const add = ['ng', 'add', `@angular/ssr@${angular}`, '--skip-confirmation'];
  await run('npx', add, { cwd: withSsr, env: childEnv });
  return { 'without SSR': workspace, 'with SSR': withSsr };
}

/** A copy of a workspace, its node_modules by hard links. */
export async function copyWorkspace(from, to) {
  mkdirSync(to, { recursive: true });
  const isOwn = (path) =>
    !path.startsWith(join(from, 'node_modules')) && !path.includes('.angular');
  cpSync(from, to, { recursive: true, filter: isOwn });
  await linkModules(from, to);
}

async function linkModules(from, to) {
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

function pin(workspace, angular) {
  const path = join(workspace, 'package.json');
  const manifest = readJson(path);
  // What `npm ci` needs here, it needs there: the same tools are below both.
  manifest.overrides = readJson(join(root, 'package.json')).overrides;
  for (const section of [manifest.dependencies, manifest.devDependencies]) {
    for (const name of Object.keys(section)) {
      if (name.startsWith('@angular/')) section[name] = angular;
    }
  }
  writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`);
}

/** `/` is prerendered; `/item/7` cannot be, and is rendered. */
function writePages(workspace) {
  const component = (name, template, extra = '') => `import { Component } from '@angular/core';
${extra}
@Component({ selector: 'app-${name.toLowerCase()}', template: \`${template}\` })
export class ${name} {`;
  const app = join(workspace, 'src/app');
  writeFileSync(join(app, 'home.ts'), `${component('Home', '<h1>Home one</h1>')}}\n`);
  const route = `import { inject } from '@angular/core';\nimport { ActivatedRoute } from '@angular/router';`;
  writeFileSync(
    join(app, 'item.ts'),
    `${component('Item', '<h1>Item {{ id }}</h1>', route)}
  readonly id = inject(ActivatedRoute).snapshot.paramMap.get('id');
}\n`,
  );
  writeFileSync(
    join(app, 'app.routes.ts'),
    `import { Routes } from '@angular/router';
import { Home } from './home';
import { Item } from './item';

export const routes: Routes = [
  { path: '', component: Home },
  { path: 'item/:id', component: Item },
];\n`,
  );
  writeFileSync(
    join(app, 'app.ts'),
    `import { Component } from '@angular/core';
import { RouterOutlet } from '@angular/router';

@Component({ selector: 'app-root', imports: [RouterOutlet], template: '<router-outlet />' })
export class App {}\n`,
  );
}

/** What a person who has pages with parameters declares for the app engine. */
export function declareServerRoutes(workspace) {
  writeFileSync(
    join(workspace, 'src/app/app.routes.server.ts'),
    `import { RenderMode, ServerRoute } from '@angular/ssr';

export const serverRoutes: ServerRoute[] = [
  { path: 'item/:id', renderMode: RenderMode.Server },
  { path: '**', renderMode: RenderMode.Prerender },
];\n`,
  );
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
