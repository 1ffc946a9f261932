import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SERVER } from '../deployment.mjs';
import { checkDoctor } from '../doctor-check.mjs';
import { checkServer } from '../http-checks.mjs';
import { createWithYarn, YARN } from '../package-managers/yarn.mjs';
import { digestOf } from '../workspace.mjs';

const ADD = ['add', '@ng-ssr/koa', '--skip-confirmation'];

/** One application under Yarn: with Plug'n'Play, where there is no node_modules, and then with node_modules. */
export async function checkApplication(context) {
  const { check, say } = context;
  const title = `Yarn ${YARN}`;
  say(`${title}: ng new, yarn install`);
  const app = await createWithYarn({ ...context, start: 'with SSR' });
  const { workspace: shop, env } = app;
  const inputs = { env, hasAddon: true, isPacked: true };

  const isServed = await check(
    `${title}, Plug'n'Play: yarn ng add, yarn build, a page served`,
    async () => {
      await app.ng(ADD);
      await app.build();
      assert.ok(!existsSync(join(shop, 'node_modules')));
      await checkServer(shop, SERVER, { ...inputs, command: app.node });
    },
  );
  if (!isServed) return;
  await check(`${title}, Plug'n'Play: yarn ng-ssr doctor finds nothing wrong`, () =>
    checkDoctor(shop, app.ngSsr, env),
  );
  await check(`${title}, Plug'n'Play: yarn ng add again changes nothing`, async () => {
    const before = digestOf(shop);
    const { output } = await app.ng(ADD);
    assert.match(output, /already .*; nothing was changed/);
    assert.equal(digestOf(shop), before);
  });
  await check(`${title}, node_modules: yarn install, yarn build, a page served`, async () => {
    await app.leavePnp();
    await app.build();
    await checkServer(shop, SERVER, inputs);
  });
}
