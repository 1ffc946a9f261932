import assert from 'node:assert/strict';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { delimiter, join } from 'node:path';
import { freePort, run, serve } from '../child-process.mjs';
import { SERVER } from '../deployment.mjs';
import { checkDoctor } from '../doctor-check.mjs';
import { checkServer, get, LISTENING } from '../http-checks.mjs';
import { checkLiveReload } from '../live-reload.mjs';
import { newApplication } from '../new-application.mjs';
import { writePages } from '../pages.mjs';
import { childEnv, digestOf } from '../workspace.mjs';

const PNPM = 'pnpm@10.34.9';
const ADAPTER = '@ng-ssr/fastify';
const WORKSPACE = `packages:
  - apps/*
# No package is reached but by those that depend on it.
hoist: false
# For "pnpm deploy".
injectWorkspacePackages: true
storeDir: ../store
cacheDir: ../cache
`;

/** One application in a pnpm workspace: a package reaches its own dependencies alone. */
export async function checkApplication({ starts, place, npmrc, angular, check, say }) {
  const title = 'pnpm workspace';
  say(`${title}: ng new, pnpm install`);
  const root = join(place, 'acme');
  const shop = await newApplication(['--package-manager', 'pnpm', '--minimal', '--no-ssr'], {
    starts,
    place: join(root, 'apps'),
    npmrc,
    angular,
  });
  const env = await withPnpm(join(place, 'tool'));
  const pnpm = (...args) => run('pnpm', args, { cwd: shop, env });
  writePages(shop);
  writeFileSync(join(root, 'package.json'), '{ "name": "acme", "private": true }\n');
  writeFileSync(join(root, 'pnpm-workspace.yaml'), WORKSPACE);
  cpSync(join(shop, '.npmrc'), join(root, '.npmrc'));
  await pnpm('install');

  await check(`${title}: pnpm ng add, pnpm build, a page served`, async () => {
    await pnpm('ng', 'add', ADAPTER, '--skip-confirmation');
    await pnpm('build');
    // Neither the application nor the workspace has the package with the addon.
    assert.ok(!existsSync(join(shop, 'node_modules/@ng-ssr/etag')));
    assert.ok(!existsSync(join(root, 'node_modules/@ng-ssr')));
    await checkServer(shop, SERVER, { hasAddon: true });
    await checkServer(root, `apps/shop/${SERVER}`, { hasAddon: true });
  });
  await check(`${title}: pnpm ng-ssr doctor finds nothing wrong`, () =>
    checkDoctor(shop, ['pnpm', 'ng-ssr'], env),
  );
  await check(`${title}: what the sources import is in package.json`, () => {
    const { dependencies, devDependencies } = readManifest(shop);
    const declared = Object.keys({ ...dependencies, ...devDependencies });
    const imported = packagesImportedIn(join(shop, 'src'));
    assert.ok(imported.includes(ADAPTER));
    assert.deepEqual(
      imported.filter((name) => !declared.includes(name)),
      [],
    );
  });
  await check(`${title}: pnpm ng add again changes nothing`, async () => {
    const before = digestOf(shop);
    const { output } = await pnpm('ng', 'add', ADAPTER, '--skip-confirmation');
    assert.match(output, /already; nothing was changed/);
    assert.equal(digestOf(shop), before);
  });
  await check(`${title}: pnpm deploy --prod, a page served`, async () => {
    // Without this, pnpm takes what git takes: the sources.
    writeManifest(shop, { ...readManifest(shop), files: ['dist'] });
    await pnpm('install');
    const deployed = join(place, 'deployed');
    await pnpm('--filter', 'shop', 'deploy', '--prod', deployed);
    assert.ok(!existsSync(join(deployed, 'src')));
    const inputs = { hasAddon: true, extraEnv: { NODE_ENV: 'production' } };
    await checkServer(deployed, SERVER, inputs);
  });
  await check(`${title}: ng serve`, () => checkLiveReload(shop));
  await check(`${title}: pnpm ng generate remove, pnpm build, a page served`, async () => {
    await pnpm('ng', 'generate', `${ADAPTER}:remove`);
    assert.doesNotMatch(JSON.stringify(readManifest(shop)), /@ng-ssr|fastify/);
    assert.ok(!existsSync(join(shop, 'node_modules', ADAPTER)));
    await pnpm('build');
    await checkStockServer(shop);
  });
}

/** The environment in which `pnpm` is there, from its own installation. */
async function withPnpm(folder) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  await run('npm', ['install', PNPM], { cwd: folder, env: childEnv });
  const bin = join(folder, 'node_modules/.bin');
  // On CI pnpm would not change its lock file, as `ng add` must.
  return { ...childEnv, CI: undefined, PATH: bin + delimiter + childEnv.PATH };
}

/** The packages that TypeScript files import, Node's own not among them. */
function packagesImportedIn(folder) {
  const texts = globSync('**/*.ts', { cwd: folder }).map((path) =>
    readFileSync(join(folder, path), 'utf8'),
  );
  const specifiers = texts
    .flatMap((text) => [...text.matchAll(/\b(?:from|import)\s*\(?\s*'([^'.][^']*)'/g)])
    .map(([, specifier]) => specifier)
    .filter((specifier) => !specifier.startsWith('node:') && !builtinModules.includes(specifier));
  return [...new Set(specifiers.map((specifier) => /^(@[^/]+\/)?[^/]+/.exec(specifier)[0]))];
}

async function checkStockServer(workspace) {
  const port = await freePort();
  const env = { ...childEnv, PORT: String(port), NG_ALLOWED_HOSTS: '127.0.0.1' };
  const server = await serve(process.execPath, [SERVER], { cwd: workspace, env, ready: LISTENING });
  try {
    const { status, body } = await get(port, '/item/7');
    assert.equal(status, 200);
    assert.match(body, /<h1>Item 7<\/h1>/);
  } finally {
    await server.stop();
  }
}

function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

function writeManifest(folder, manifest) {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
