import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../child-process.mjs';
import { checkServer } from '../http-checks.mjs';
import { checkLiveReload } from '../live-reload.mjs';
import { writePages } from '../pages.mjs';
import { childEnv, digestOf, pin, programOf } from '../workspace.mjs';

/**
 * The newest Nx for each Angular, whose minor version is the choice of Nx. Of 21 the newest patches do not
 * install together.
 */
const NX = {
  21: { version: '22.7.12', isPinned: true },
  22: { version: '23.2.1', isPinned: false },
};

/** What a user of Nx does who has no angular.json: one application, and then a second one. */
export async function checkApplication({ place, npmrc, angular, check, say }) {
  const { version, isPinned } = NX[Number.parseInt(angular, 10)];
  const workspace = join(place, 'acme');
  const shop = join(workspace, 'apps/shop');
  const nxEnv = {
    ...childEnv,
    NX_CACHE_DIRECTORY: join(workspace, '.nx/cache'),
    NX_DAEMON: 'false',
    NX_NO_CLOUD: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_loglevel: 'error',
  };
  const nx = (args, mayFail = false) =>
    run(programOf(workspace, 'nx'), args, {
      cwd: workspace,
      env: nxEnv,
      mayFail,
      limitMs: 600_000,
    });
  const manifest = () => JSON.parse(readFileSync(join(workspace, 'package.json'), 'utf8'));

  say(`Nx ${version}: a new workspace`);
  mkdirSync(place, { recursive: true });
  const isCreated = await check(`Nx ${version}: create-nx-workspace`, async () => {
    const begun = performance.now();
    const args = [`create-nx-workspace@${version}`, 'acme', '--preset=angular-monorepo'];
    args.push('--appName=shop', '--ssr', '--style=css', '--bundler=esbuild', '--nxCloud=skip');
    args.push('--e2eTestRunner=none', '--unitTestRunner=none', '--interactive=false');
    args.push('--analytics=false', '--packageManager=npm', '--skipGit');
    const env = { ...nxEnv, npm_config_legacy_peer_deps: String(isPinned) };
    await run('npx', ['--yes', ...args], { cwd: place, env, limitMs: 600_000 });
    assert.ok(!existsSync(join(workspace, 'angular.json')));
    writeFileSync(join(workspace, '.npmrc'), `${npmrc}\n`);
    if (isPinned) {
      pin(workspace, angular);
      for (const name of ['node_modules', 'package-lock.json']) {
        rmSync(join(workspace, name), { recursive: true });
      }
      await run('npm', ['install'], { cwd: workspace, env: nxEnv, limitMs: 600_000 });
    }
    writeApplication(shop);
    const { output } = await run('du', ['-sm', workspace], { cwd: place, env: nxEnv });
    return `${((performance.now() - begun) / 1000).toFixed(0)} s, ${parseInt(output, 10)} MB`;
  });
  if (!isCreated) return;

  let added = '';
  const isServed = await check(`Nx ${version}: nx add, nx build, a page served`, async () => {
    const settings = readFileSync(join(shop, 'project.json'), 'utf8');
    const { output } = await nx(['add', '@ng-ssr/express']);
    assert.match(output, /Package @ng-ssr\/express added successfully/);
    assertOnlyNx(output);
    assert.equal(readFileSync(join(shop, 'project.json'), 'utf8'), settings);
    assertInProduction(manifest());
    await buildAndServe(output, 'shop');
    added = output;
  });
  if (!isServed) return;

  await check(
    `Nx ${version}: nx lint is green, and nx format:check after nx format:write`,
    async () => {
      await nx(['lint', 'shop']);
      const [, format] = /Format it: nx (.*)/.exec(added);
      await nx(format.split(' '));
      await nx(['format:check', '--projects', 'shop']);
      await nx(['format:check', '--files', 'package.json']);
    },
  );
  await check(`Nx ${version}: nx generate server again changes nothing`, async () => {
    const before = digestOf(workspace);
    const { output } = await nx(['g', '@ng-ssr/express:server', '--project', 'shop']);
    assert.match(output, /already .*; nothing was changed/);
    assert.equal(digestOf(workspace), before);
  });
  await check(`Nx ${version}: a wrong project is one line and changes nothing`, async () => {
    const before = digestOf(workspace);
    const { code, output } = await nx(['g', '@ng-ssr/express:server', '--project', 'shpo'], true);
    assert.notEqual(code, 0);
    const said = output.match(/There is no project "shpo" in this workspace: it has shop\. /g);
    assert.equal(said?.length, 1, output);
    assert.doesNotMatch(output, /^ +at |stacktrace/m);
    assert.equal(digestOf(workspace), before);
  });
  await check(`Nx ${version}: nx serve`, () =>
    checkLiveReload(workspace, { env: nxEnv, command: ['nx', 'serve', 'shop'], project: shop }),
  );
  await check(`Nx ${version}: nx generate remove, nx build`, async () => {
    const { output } = await nx(['g', '@ng-ssr/express:remove']);
    assertOnlyNx(output);
    assert.equal(manifest().dependencies['@ng-ssr/express'], undefined);
    await nx(['build', 'shop']);
  });

  const admin = join(workspace, 'apps/admin');
  await check(
    `Nx ${version}: of two applications, one without SSR, built by @nx/angular`,
    async () => {
      const args = ['g', '@nx/angular:application', 'apps/admin', '--style=css'];
      args.push('--e2eTestRunner=none', '--unitTestRunner=none', '--bundler=esbuild');
      await nx([...args, '--no-interactive']);
      writeApplication(admin);
      const settings = readFileSync(join(admin, 'project.json'), 'utf8');
      const wrapped = settings.replaceAll('"@angular/build:', '"@nx/angular:');
      assert.match(wrapped, /"@nx\/angular:application"/);
      writeFileSync(join(admin, 'project.json'), wrapped);

      const refused = await nx(['add', '@ng-ssr/express'], true);
      assert.notEqual(refused.code, 0);
      // Below it Nx prints the stack of its own command that has failed.
      const said = refused.output.match(/There are several applications, admin, shop: choose one/g);
      assert.equal(said?.length, 1, refused.output);
      const command = / as in nx (generate .* --project admin)\. /.exec(refused.output)?.[1];
      const { output } = await nx(command.split(' '));
      assertOnlyNx(output);
      assert.doesNotMatch(output, /will be replaced/);
      assertInProduction(manifest());
      await buildAndServe(output, 'admin');
    },
  );

  /** Does what the message says: `Try it: nx build shop && node dist/apps/shop/server/server.mjs`. */
  async function buildAndServe(output, project) {
    const [, build, server] = /Try it: nx (.*) && node (.*)/.exec(output);
    assert.equal(build, `build ${project}`);
    await nx(build.split(' '));
    await checkServer(workspace, server, { hasAddon: true });
  }
}

/** Two pages below Nx's own component, in routes of the name that they have elsewhere. */
function writeApplication(project) {
  writePages(project);
  const config = join(project, 'src/app/app.config.ts');
  writeFileSync(config, readFileSync(config, 'utf8').replaceAll('appRoutes', 'routes'));
}

/** `nx add` saves for development what production needs. */
function assertInProduction({ dependencies, devDependencies }) {
  assert.ok(dependencies['@ng-ssr/express']);
  assert.equal(devDependencies['@ng-ssr/express'], undefined);
}

function assertOnlyNx(output) {
  assert.doesNotMatch(output, /\bng (add|build|generate|serve|update)\b|(?<!UPDATE )angular\.json/);
}
