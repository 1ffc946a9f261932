import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { checkAlone, checkInstalled, checkOldestNode, OLDEST_NODE, SERVER } from './deployment.mjs';
import { checkDoctor } from './doctor-check.mjs';
import { checkServer } from './http-checks.mjs';
import { checkImports } from './imported-packages.mjs';
import { checkLiveReload } from './live-reload.mjs';
import { checkAsUsersDo } from './user-checks.mjs';
import { adapters } from './variants.mjs';
import { digestOf } from './workspace.mjs';
import { checkWrongProject } from './wrong-project.mjs';

/**
 * What is checked of a workspace beside `ng add`, `ng build` and a page, by the names in the rows of
 * combinations.mjs, in the order in which it is run: the last ones change the workspace.
 *
 * Each takes a workspace `app` of package-managers/, the adapter's name, `add`, which is the arguments of
 * `ng add`, the ETag of the home page, a folder `place`, the `title` of the row, the names that are `wanted`, and `check`.
 */
export const extras = {
  doctor: ({ app, title, check }) =>
    check(`${title}: ng-ssr doctor finds nothing wrong`, () =>
      checkDoctor(app.workspace, app.ngSsr, app.env),
    ),
  imports: ({ app, adapter, title, check }) =>
    check(`${title}: what the sources import is in package.json`, () =>
      checkImports(app.workspace, adapters[adapter].packageName),
    ),
  'add again': ({ app, add, title, check }) =>
    check(`${title}: ng add again changes nothing`, async () => {
      const before = digestOf(app.workspace);
      const { output } = await app.ng(add);
      assert.match(output, /already .*; nothing was changed/);
      assert.equal(digestOf(app.workspace), before);
    }),
  prettier: ({ app, title, check }) =>
    checkAsUsersDo(app.workspace, ['prettier'], { title, check }),
  lint: ({ app, title, check }) => checkAsUsersDo(app.workspace, ['lint'], { title, check }),
  test: ({ app, title, check }) => checkAsUsersDo(app.workspace, ['test'], { title, check }),
  'wrong project': ({ app, adapter, title, check }) =>
    check(`${title}: a wrong project is two lines and changes nothing`, () =>
      checkWrongProject(app, adapters[adapter].packageName),
    ),
  'npm ci': ({ app, adapter, place, etag, title, check }) =>
    check(`${title}: dist beside npm ci --omit=dev`, async () => {
      const folder = join(place, 'installed');
      const served = await checkInstalled(app.workspace, folder, adapters[adapter]);
      assert.equal(served.etag, etag);
    }),
  'dist alone': ({ app, place, etag, title, check }) =>
    check(`${title}: dist alone, without the addon`, async () => {
      const served = await checkAlone(app.workspace, join(place, 'alone'));
      assert.equal(served.etag, etag, 'the twin writes another tag');
    }),
  'oldest Node': ({ app, place, title, check }) =>
    check(`${title}: a page served by Node ${OLDEST_NODE}`, async () => {
      if (process.platform !== 'linux') return 'skipped: not on Linux';
      await checkOldestNode(app.workspace, join(place, 'oldest'));
    }),
  // The server is as `ng add` wrote it, and the server routes as Angular's schematic did.
  'other engine': async ({ app, adapter, wanted, title, check }) => {
    await check(`${title}: ng add --engine app, ng build, a page served`, async () => {
      const { output } = await app.ng(['add', adapters[adapter].packageName, '--engine', 'app']);
      assert.match(output, /render item\/:id on request/);
      await app.ng(['build']);
      await checkServer(app.workspace, SERVER, { hasAddon: true });
    });
    const names = ['prettier', 'lint'].filter((name) => wanted.includes(name));
    await checkAsUsersDo(app.workspace, names, { title: `${title}, then app`, check });
  },
  // Yarn's, after Plug'n'Play.
  node_modules: ({ app, title, check }) =>
    check(`${title}: yarn install with node_modules, yarn build, a page served`, async () => {
      assert.ok(!existsSync(join(app.workspace, 'node_modules')));
      await app.leavePnp();
      await app.build();
      const inputs = { hasAddon: true, isPacked: true, env: app.env };
      await checkServer(app.workspace, SERVER, inputs);
    }),
  'ng serve': ({ app, title, check }) =>
    check(`${title}: ng serve`, () => checkLiveReload(app.workspace)),
};
