import { SERVER } from './deployment.mjs';
import { extras } from './extras.mjs';
import { checkServer } from './http-checks.mjs';
import { packageManagers } from './package-managers/index.mjs';
import { adapters, engines } from './variants.mjs';

/**
 * What a user does with one row of combinations.mjs: `ng add`, a build, a page, and what else the row names.
 *
 * @param angular - As of `angularOf`.
 * @param context - `starts`, `tools`, `npmrc`, a folder `place` and `check`.
 */
export async function checkCombination(row, angular, context) {
  const { adapter, engine, packageManager, start } = row;
  const { place, check } = context;
  const title = titleOf(row);
  let app;
  const isCreated = await check(`${title}: a new application ${start}`, async () => {
    const inputs = { ...context, start, angular: angular.version };
    app = await packageManagers[packageManager](inputs);
  });
  if (!isCreated) return;
  const { packageName, framework } = adapters[adapter];
  const add = ['add', packageName, '--skip-confirmation', ...engines[engine].args];
  if (framework !== undefined) add.push('--framework', framework);

  let etag;
  const isServed = await check(`${title}: ng add, ng build, a page served`, async () => {
    const begun = performance.now();
    await app.ng(add);
    const added = performance.now();
    await app.build();
    const built = performance.now();
    const { env, node } = app;
    const hasRoute = adapter !== 'node';
    const options = { hasAddon: true, isPacked: true, hasRoute, env, command: node };
    const served = await checkServer(app.workspace, SERVER, options);
    etag = served.etag;
    const seconds = (from, to) => `${((to - from) / 1000).toFixed(1)} s`;
    return (
      `first page ${seconds(begun, served.servedAt)} after ng add began ` +
      `(add ${seconds(begun, added)}, build ${seconds(added, built)})`
    );
  });
  if (!isServed) return;
  const wanted = row.extras;
  for (const name of Object.keys(extras).filter((each) => wanted.includes(each))) {
    await extras[name]({ app, adapter, add, etag, place, title, wanted, check });
  }
}

/** As in the results: `Angular 22, koa, app engine, pnpm`. */
export function titleOf({ adapter, engine, angular, packageManager }) {
  const manager = packageManager === 'npm' ? '' : `, ${packageManager}`;
  return `Angular ${angular}, ${adapter}, ${engine} engine${manager}`;
}
