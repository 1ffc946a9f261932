import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { channelOf } from '@ng-ssr/core';
import { varnishEdge } from '@ng-ssr/edge';
import { ask, openShop, type Shop } from './shop.ts';
import { openSlowWire, type SlowWire } from './slow-wire.ts';
import { isVarnishMissing, PURGE_TOKEN, VarnishServer } from './varnish-server.ts';

/** Varnish compiles its VCL with a C compiler. */
const START_MS = 200_000;

describe.skipIf(isVarnishMissing())('Varnish at the end of a slow wire', () => {
  let shop: Shop;
  let wire: SlowWire;
  let varnish: VarnishServer;

  beforeAll(async () => {
    varnish = await VarnishServer.reserve();
    shop = await openShop(varnishEdge({ url: varnish.url, token: PURGE_TOKEN, settleMs: 1000 }));
    wire = await openSlowWire(shop.port);
    await varnish.start(wire.port);
  }, START_MS);

  afterAll(async () => {
    await varnish?.stop();
    await wire?.close();
    await shop?.close();
  });

  test('an answer that left the server before a purge, and arrives after it, does not stay', async () => {
    const url = `${varnish.url}/hard/late`;
    const firstPurge = new Promise<void>((resolve) => {
      const listener = (): void => {
        channelOf('ng-ssr:edge').unsubscribe(listener);
        resolve();
      };
      channelOf('ng-ssr:edge').subscribe(listener);
    });
    // Probes are held up too, for less time than makes the server sick.
    wire.hold();
    const hasLeft = wire.held('xkey');
    const late = ask(url);
    await hasLeft;
    shop.versions.set('/hard/late', 1);
    const purged = shop.server.cache.purge({ path: '/hard/late', hard: true });
    await firstPurge;
    wire.release();
    expect((await late).page.version).toBe(0);
    const between = await ask(url);
    expect([between.page.version, between.varnish]).toEqual([0, 'hit']);
    await purged;
    expect((await ask(url)).page.version).toBe(1);
  });
});
