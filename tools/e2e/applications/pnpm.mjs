import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../free-port.ts';
import { serve } from '../child-process.mjs';
import { SERVER } from '../deployment.mjs';
import { checkDoctor } from '../doctor-check.mjs';
import { checkServer, get, LISTENING } from '../http-checks.mjs';
import { checkImports } from '../imported-packages.mjs';
import { checkLiveReload } from '../live-reload.mjs';
import { createWithPnpm } from '../package-managers/pnpm.mjs';
import { childEnv, digestOf } from '../workspace.mjs';

const ADAPTER = '@ng-ssr/fastify';

/** One application in a pnpm workspace, whole: what a row of combinations.mjs has, and deployment and removal. */
export async function checkApplication(context) {
  const { place, check, say } = context;
  const title = 'pnpm workspace';
  say(`${title}: ng new, pnpm install`);
  const app = await createWithPnpm({ ...context, start: 'without SSR' });
  const { root, workspace: shop, env } = app;
  const pnpm = (...args) => app.pnpm(args);

  await check(`${title}: pnpm ng add, pnpm build, a page served`, async () => {
    await pnpm('ng', 'add', ADAPTER, '--skip-confirmation');
    await app.build();
    await checkServer(shop, SERVER, { hasAddon: true });
    await checkServer(root, `apps/shop/${SERVER}`, { hasAddon: true });
  });
  await check(`${title}: pnpm ng-ssr doctor finds nothing wrong`, () =>
    checkDoctor(shop, app.ngSsr, env),
  );
  await check(`${title}: what the sources import is in package.json`, () =>
    checkImports(shop, ADAPTER),
  );
  await check(`${title}: pnpm ng add again changes nothing`, async () => {
    const before = digestOf(shop);
    const { output } = await pnpm('ng', 'add', ADAPTER, '--skip-confirmation');
    assert.match(output, /already .*; nothing was changed/);
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
