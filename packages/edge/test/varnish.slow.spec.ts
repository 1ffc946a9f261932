import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seed, stress } from '@ng-ssr/conformance/fuzz';
import { varnishEdge } from '@ng-ssr/edge';
import { ask, openShop, type Shop } from './shop.ts';
import { storm } from './storm.ts';
import { isVarnishMissing, PURGE_TOKEN, VarnishServer } from './varnish-server.ts';

const CHANGES = Number(process.env['NG_SSR_FUZZ_RUNS'] ?? stress(200));
/** Varnish compiles its VCL with a C compiler. */
const START_MS = 200_000;

describe.skipIf(isVarnishMissing())('Varnish under changes, and away', () => {
  let shop: Shop;
  let varnish: VarnishServer;

  beforeAll(async () => {
    varnish = await VarnishServer.reserve();
    shop = await openShop(varnishEdge({ url: varnish.url, token: PURGE_TOKEN }));
    await varnish.start(shop.port);
  }, START_MS);

  afterAll(async () => {
    await varnish?.stop();
    await shop?.close();
  });

  test(
    `no read after a purge gets an older page: seed ${seed}`,
    { timeout: 2 * START_MS },
    async () => {
      const report = await storm(shop, varnish.url, seed, CHANGES, 20);
      console.log(`storm: ${JSON.stringify(report)}, NG_SSR_FUZZ_SEED=${seed}`);
      expect(report.purges).toBeGreaterThanOrEqual(CHANGES);
      expect(report.hits).toBeGreaterThan(report.reads / 20);
    },
  );

  test('a purge waits for Varnish that starts again', { timeout: START_MS }, async () => {
    await ask(`${varnish.url}/hard/a`);
    expect((await ask(`${varnish.url}/hard/a`)).varnish).toBe('hit');
    await varnish.kill();
    const purged = shop.server.cache.purge({ path: '/hard/a', hard: true });
    await varnish.restart();
    await purged;
    expect((await ask(`${varnish.url}/hard/a`)).varnish).toBe('miss');
  });

  test(
    'a server that is away leaves stale-if-error to Varnish',
    { timeout: START_MS },
    async () => {
      const [grace, error] = ['/a', '/error/a'].map((path) => varnish.url + path);
      for (const url of [grace!, error!]) await ask(url);
      await shop.server.cache.purge({ path: '/error/a' });
      await shop.server.close();
      // As soon as the probe has noticed it.
      await expect.poll(async () => (await ask(error!)).status).toBe(200);
      expect((await ask(error!)).varnish).toBe('hit');
      expect((await ask(grace!)).varnish).toBe('hit');
      expect((await ask(`${varnish.url}/unknown`)).status).toBe(503);
    },
  );
});
