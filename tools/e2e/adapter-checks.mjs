import assert from 'node:assert/strict';
import { join } from 'node:path';
import { run } from './child-process.mjs';
import { checkAlone, checkInstalled, checkOldestNode, OLDEST_NODE, SERVER } from './deployment.mjs';
import { checkDoctor } from './doctor-check.mjs';
import { checkServer } from './http-checks.mjs';
import { checkLiveReload } from './live-reload.mjs';
import { checkAsUsersDo } from './user-checks.mjs';
import { adapters, engines } from './variants.mjs';
import { childEnv, copyWorkspace, digestOf, programOf } from './workspace.mjs';

/**
 * What a user does with one adapter on one engine, from `ng add` to two kinds of deployment.
 *
 * @param angular - Angular's version, and whether everything is checked there; else one adapter shows
 *   for all of them that a build runs alone, and `ng serve`.
 */
export async function checkAdapter(name, engine, { angular, starts, place, check, say }) {
  const adapter = adapters[name];
  const { major, isWhole } = angular;
  const title = `Angular ${major}, ${name}, ${engine} engine`;
  const isExample = name === 'koa' && engine === 'app';
  const workspace = join(place, 'workspace');
  const ng = (args, limitMs) =>
    run(programOf(workspace, 'ng'), args, { cwd: workspace, env: childEnv, limitMs });
  const add = ['add', adapter.packageName, '--skip-confirmation', ...engines[engine].args];
  if (adapter.framework !== undefined) add.push('--framework', adapter.framework);

  say(`${title}: from a new application ${engines[engine].start}`);
  await copyWorkspace(starts[engines[engine].start], workspace);

  let etag;
  const isServed = await check(`${title}: ng add, ng build, a page served`, async () => {
    const begun = performance.now();
    await ng(add);
    const added = performance.now();
    // The script that `ng add` has changed: it packs the build too.
    await run('npm', ['run', 'build'], { cwd: workspace, env: childEnv });
    const built = performance.now();
    const served = await checkServer(workspace, SERVER, { hasAddon: true, isPacked: true });
    etag = served.etag;
    const seconds = (from, to) => `${((to - from) / 1000).toFixed(1)} s`;
    return (
      `first page ${seconds(begun, served.servedAt)} after ng add began ` +
      `(add ${seconds(begun, added)}, build ${seconds(added, built)})`
    );
  });
  if (!isServed) return;

  if (isWhole) {
    await check(`${title}: ng-ssr doctor finds nothing wrong`, () =>
      checkDoctor(workspace, [programOf(workspace, 'ng-ssr')]),
    );
  }
  await check(`${title}: ng add again changes nothing`, async () => {
    const before = digestOf(workspace);
    const { output } = await ng(add);
    assert.match(output, /already; nothing was changed/);
    assert.equal(digestOf(workspace), before);
  });
  // `ng test` sees the specs, what they import and the build's options, in which the engines differ by
  // the server's alone. With the common engine `ng add` has made the whole set-up itself.
  await checkAsUsersDo(workspace, { title, hasTests: engine === 'common', check });
  if (isWhole) {
    await check(`${title}: a wrong project is two lines and changes nothing`, async () => {
      const before = digestOf(workspace);
      const args = ['generate', `${adapter.packageName}:server`, '--project', 'shpo'];
      const inputs = { cwd: workspace, env: childEnv, mayFail: true };
      const { code, output } = await run(programOf(workspace, 'ng'), args, inputs);
      assert.notEqual(code, 0);
      const [message, page, ...others] = output.trim().split('\n');
      assert.match(message, /^There is no project "shpo" in angular\.json: it has shop\. /);
      assert.match(page, /^https:\S+#ng_ssr_project_unknown$/);
      assert.deepEqual(others, []);
      assert.equal(digestOf(workspace), before);
    });
    await check(`${title}: dist beside npm ci --omit=dev`, async () => {
      const served = await checkInstalled(workspace, join(place, 'installed'), adapter);
      assert.equal(served.etag, etag);
    });
  }
  if (isWhole || isExample) {
    await check(`${title}: dist alone, without the addon`, async () => {
      const served = await checkAlone(workspace, join(place, 'alone'));
      assert.equal(served.etag, etag, 'the twin writes another tag');
    });
  }
  // No newer Angular runs on it.
  if (!isWhole && isExample && process.platform === 'linux') {
    await check(`${title}: a page served by Node ${OLDEST_NODE}`, async () => {
      await checkOldestNode(workspace, join(place, 'oldest'));
    });
  }
  // The server is as `ng add` wrote it, and the server routes as Angular's schematic did.
  if (name === 'koa' && engine === 'common') {
    await check(`${title}: ng add --engine app, ng build, a page served`, async () => {
      const { output } = await ng(['add', adapter.packageName, '--engine', 'app']);
      assert.match(output, /render item\/:id on request/);
      await ng(['build']);
      await checkServer(workspace, SERVER, { hasAddon: true });
    });
    await checkAsUsersDo(workspace, { title: `${title}, then app`, hasTests: false, check });
  }
  // Without outputMode `ng serve` has a server of its own.
  if (engine === 'app' && (isWhole || isExample)) {
    await check(`${title}: ng serve`, () => checkLiveReload(workspace));
  }
}
