import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { env } from '../../environment.mjs';
import { run } from '../child-process.mjs';
import { newApplication } from '../new-application.mjs';
import { writePages } from '../pages.mjs';
import { childEnv } from '../workspace.mjs';

export const YARN = '4.18.1';

const SSR_FLAGS = { 'with SSR': '--ssr', 'without SSR': '--no-ssr' };

/** Installs Yarn in a folder, which has its cache too. Returns the folder and the environment in which `yarn` is there. */
export async function installYarn(folder) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const inFolder = { cwd: folder, env: env() };
  await run('npm', ['install', '--no-audit', `@yarnpkg/cli-dist@${YARN}`], inFolder);
  const settingOf = async (name) => {
    const { output } = await run('npm', ['config', 'get', name, '--loglevel=error'], inFolder);
    const value = output.trim();
    return value === 'null' ? undefined : value;
  };
  // With what npm is set up for on this machine.
  const environment = {
    ...childEnv,
    // On CI Yarn would not change its lock file, as `ng add` must.
    CI: undefined,
    PATH: join(folder, 'node_modules/.bin') + delimiter + childEnv.PATH,
    YARN_NPM_REGISTRY_SERVER: await settingOf('registry'),
    YARN_HTTPS_CA_FILE_PATH: await settingOf('cafile'),
  };
  return { folder, env: environment };
}

/** A new application under Yarn's Plug'n'Play, which has no node_modules; `leavePnp` gives it one. See index.mjs. */
export async function createWithYarn({ start, starts, tools, place, npmrc, angular }) {
  const flags = ['--package-manager', 'yarn', '--minimal', SSR_FLAGS[start]];
  const workspace = await newApplication(flags, { starts, place, npmrc, angular });
  writePages(workspace);
  pinForYarn(workspace);
  const tool = await tools.yarn();
  const yarn = (args, more) => run('yarn', args, { cwd: workspace, env: tool.env, ...more });
  writeFileSync(join(workspace, 'yarn.lock'), '');
  const install = async (linker) => {
    const settings = `nodeLinker: ${linker}
${settingsOf(npmrc, tool.folder)}`;
    writeFileSync(join(workspace, '.yarnrc.yml'), settings);
    await yarn(['install']);
  };
  await install('pnp');
  return {
    workspace,
    env: tool.env,
    yarn,
    /** From here on with node_modules. */
    leavePnp: async () => {
      for (const name of ['.pnp.cjs', '.pnp.loader.mjs', 'dist']) {
        rmSync(join(workspace, name), { recursive: true, force: true });
      }
      await install('node-modules');
    },
    node: ['yarn', 'node'],
    ngSsr: ['yarn', 'ng-ssr'],
    ng: (args, more) => yarn(['ng', ...args], more),
    build: async () => {
      await yarn(['build']);
      // Yarn runs no script `postbuild`.
      assert.ok(!existsSync(join(workspace, 'dist/shop/ng-ssr')));
      await yarn(['ng-ssr', 'pack', 'dist/shop']);
    },
  };
}

/** Our scope from our registry, whose packages are of today: Yarn installs none so young without this. */
function settingsOf(npmrc, folder) {
  const [, registry] = /^@ng-ssr:registry=(.*)$/m.exec(npmrc);
  return `compressionLevel: 0
enableGlobalCache: true
enableTelemetry: false
networkConcurrency: 10
globalFolder: ${join(folder, 'global')}
unsafeHttpWhitelist: ['127.0.0.1']
npmPreapprovedPackages: ['@ng-ssr/*']
npmScopes:
  ng-ssr:
    npmRegistryServer: '${registry}'
`;
}

/** Yarn's name for the overrides of npm. */
function pinForYarn(workspace) {
  const path = join(workspace, 'package.json');
  const { overrides, ...manifest } = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, `${JSON.stringify({ ...manifest, resolutions: overrides }, null, 2)}\n`);
}
