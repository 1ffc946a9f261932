import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { env } from '../../environment.mjs';
import { run } from '../child-process.mjs';
import { SERVER } from '../deployment.mjs';
import { checkDoctor } from '../doctor-check.mjs';
import { checkServer } from '../http-checks.mjs';
import { newApplication } from '../new-application.mjs';
import { writePages } from '../pages.mjs';
import { childEnv, digestOf } from '../workspace.mjs';

const YARN = '4.18.1';
const ADAPTER = '@ng-ssr/koa';

/** One application under Yarn: with Plug'n'Play, where there is no node_modules, and then with node_modules. */
export async function checkApplication({ starts, place, npmrc, angular, check, say }) {
  const title = `Yarn ${YARN}`;
  say(`${title}: ng new, yarn install`);
  const flags = ['--package-manager', 'yarn', '--minimal', '--ssr'];
  const shop = await newApplication(flags, { starts, place, npmrc, angular });
  const environment = await withYarn(join(place, 'tool'));
  const yarn = (...args) => run('yarn', args, { cwd: shop, env: environment });
  writePages(shop);
  pinForYarn(shop);
  const settings = settingsOf(npmrc);
  writeFileSync(join(shop, 'yarn.lock'), '');
  const install = async (linker) => {
    writeFileSync(join(shop, '.yarnrc.yml'), `nodeLinker: ${linker}\n${settings}`);
    await yarn('install');
  };
  const inputs = { env: environment, hasAddon: true, isPacked: true };

  const isServed = await check(
    `${title}, Plug'n'Play: yarn ng add, yarn build, a page served`,
    async () => {
      await install('pnp');
      await yarn('ng', 'add', ADAPTER, '--skip-confirmation');
      await build(yarn, shop);
      assert.ok(!existsSync(join(shop, 'node_modules')));
      await checkServer(shop, SERVER, { ...inputs, command: ['yarn', 'node'] });
    },
  );
  if (!isServed) return;
  await check(`${title}, Plug'n'Play: yarn ng-ssr doctor finds nothing wrong`, () =>
    checkDoctor(shop, ['yarn', 'ng-ssr'], environment),
  );
  await check(`${title}, Plug'n'Play: yarn ng add again changes nothing`, async () => {
    const before = digestOf(shop);
    const { output } = await yarn('ng', 'add', ADAPTER, '--skip-confirmation');
    assert.match(output, /already; nothing was changed/);
    assert.equal(digestOf(shop), before);
  });
  await check(`${title}, node_modules: yarn install, yarn build, a page served`, async () => {
    for (const file of ['.pnp.cjs', '.pnp.loader.mjs']) rmSync(join(shop, file), { force: true });
    rmSync(join(shop, 'dist'), { recursive: true });
    await install('node-modules');
    await build(yarn, shop);
    await checkServer(shop, SERVER, inputs);
  });
}

/** Yarn runs no script `postbuild`. */
async function build(yarn, shop) {
  await yarn('build');
  assert.ok(!existsSync(join(shop, 'dist/shop/ng-ssr')));
  await yarn('ng-ssr', 'pack', 'dist/shop');
}

/** The environment in which `yarn` is there, with what npm is set up for on this machine. */
async function withYarn(folder) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const inFolder = { cwd: folder, env: env() };
  await run('npm', ['install', '--no-audit', `@yarnpkg/cli-dist@${YARN}`], inFolder);
  const settingOf = async (name) => {
    const { output } = await run('npm', ['config', 'get', name, '--loglevel=error'], inFolder);
    const value = output.trim();
    return value === 'null' ? undefined : value;
  };
  return {
    ...childEnv,
    // On CI Yarn would not change its lock file, as `ng add` must.
    CI: undefined,
    PATH: join(folder, 'node_modules/.bin') + delimiter + childEnv.PATH,
    YARN_NPM_REGISTRY_SERVER: await settingOf('registry'),
    YARN_HTTPS_CA_FILE_PATH: await settingOf('cafile'),
  };
}

/** Our scope from our registry, whose packages are of today: Yarn installs none so young without this. */
function settingsOf(npmrc) {
  const [, registry] = /^@ng-ssr:registry=(.*)$/m.exec(npmrc);
  return `compressionLevel: 0
enableGlobalCache: false
enableTelemetry: false
cacheFolder: ../cache
globalFolder: ../global
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
