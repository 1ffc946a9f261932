import { setImmediate } from 'node:timers/promises';
import { definePageStoreSuite } from '@ng-ssr/conformance/page-store';
import { redisBuildStore, redisPageStore } from '@ng-ssr/redis';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Keys } from '../src/keys.ts';
import { slotOf } from '../src/slots.ts';
import {
  bodyOf,
  leaseKeyOf,
  type OpenStore,
  opened,
  ownPrefix,
  page,
  pageKeyOf,
} from './open-store.ts';
import { RedisCluster } from './redis-cluster.ts';
import { isRedisServerMissing } from './redis-process.ts';

const POLL = { timeout: 60_000, interval: 10 };
const PURGES = '{purges}';

describe.skipIf(isRedisServerMissing())('on a Redis Cluster', () => {
  let cluster: RedisCluster;
  beforeAll(async () => void (cluster = await RedisCluster.start()));
  afterAll(() => cluster?.stop());

  async function open(timeoutMs = 10_000): Promise<OpenStore> {
    const store = redisPageStore({ cluster: cluster.nodes.slice(0, 2), timeoutMs });
    const result = opened(store);
    await vi.waitFor(() => expect(store.version()).toBeGreaterThan(0), POLL);
    return result;
  }

  definePageStoreSuite({
    name: 'Redis Cluster',
    createPlace: async () => {
      const options = { cluster: cluster.nodes, timeoutMs: 10_000, prefix: ownPrefix() };
      return {
        createStore: (limits) => redisPageStore({ ...options, ...limits }),
        close: () => cluster.flush(),
      };
    },
  });

  test('slots of keys are those that the servers compute', async () => {
    const admin = cluster.admin(cluster.processes[0]!.port);
    for (const key of [
      '',
      'a',
      '123456789',
      '{a}b',
      'x{}y',
      'x{',
      'x{a',
      '{{a}}',
      'ü{é}',
      'a}{b}',
    ]) {
      expect(slotOf(key), key).toBe(await admin.clusterKeySlot(key));
    }
  });

  test('a page, its variants and its lease have one slot, all purges another one', () => {
    const keys = new Keys('ng-ssr', 'a{b}%', 0);
    const site = 'https://shop.example\n/products';
    const ofPage = [site, `${site}?q=1`, `${site}?q=1\n\naccept=a`].flatMap((key) => [
      keys.page(key),
      keys.lease(key),
      keys.pagesOfPath(key) ?? keys.page(key),
    ]);
    // The mark of the path, where that is the one in the URL.
    ofPage.push(keys.path('/products'));
    expect(new Set(ofPage.map(slotOf)).size).toBe(1);
    expect(new Set(ofPage).size).toBeGreaterThan(6);
    expect(slotOf(keys.purges)).toBe(slotOf(keys.latestPurge));
    const slots = Array.from({ length: 100 }, (_, i) => slotOf(keys.page(`site\n/${i}`)));
    expect(new Set(slots).size).toBeGreaterThan(90);
  });

  test('a page is shared as soon as the store is ready, whatever primary has it', async () => {
    for (let again = 0; again < 10; again++) {
      const { store } = opened(redisPageStore({ cluster: cluster.nodes, timeoutMs: 10_000 }));
      // Without a pause: the other primaries may still be connecting.
      while (store.version() === 0) await setImmediate();
      const keys = Array.from({ length: 20 }, (_, at) => `/new-${again}-${at}`);
      const version = store.version();
      await Promise.all(keys.map((key) => store.set(key, page(key), version, 60)));
      const found = await Promise.all(keys.map((key) => bodyOf(store, key)));
      expect(found).toEqual(keys);
    }
  });

  // They would be closed as dead, and each time reported as an outage.
  test('connections without other traffic send PINGs to each primary', async () => {
    const before = await connections();
    const { store } = await open();
    for (let at = 0; at < 30; at++) await store.set(`/${at}`, page('a'), store.version(), 60);
    await vi.waitFor(async () => {
      const own = (await connections()).filter(({ id }) => !before.some((each) => each.id === id));
      expect(new Set(own.map(({ port }) => port)).size).toBe(3);
      for (const { cmd, sub } of own) expect([cmd, sub]).toEqual(sub > 0 ? [cmd, 1] : ['ping', 0]);
    }, POLL);
  });

  /** Those of clients, to the primaries. */
  async function connections() {
    const primaries = await cluster.primaries();
    const lists = await Promise.all(
      primaries.map(async ({ port }) => {
        const clients = await cluster.admin(port).clientList();
        return clients
          .filter(({ cmd, flags }) => !/replconf|psync|client/.test(cmd) && !/[SM]/.test(flags))
          .map(({ id, cmd, sub }) => ({ id: `${port}/${id}`, port, cmd, sub }));
      }),
    );
    return lists.flat();
  }

  test('builds are shared', async () => {
    const [one, other] = [0, 1].map(() => {
      const store = redisBuildStore({ cluster: cluster.nodes, timeoutMs: 10_000 });
      store.open({ baseHref: '/', keep: 2, onError: (error) => expect.unreachable(String(error)) });
      onTestFinished(() => store.close());
      return store;
    });
    const read = (): Promise<Buffer> => Promise.resolve(Buffer.from('main'));
    await one!.publish({ id: '1', files: [{ path: '/main.js', read }] });
    await vi.waitFor(async () => expect((await other!.find(['/main.js'])).size).toBe(1), POLL);
  });

  test('commands follow a slot that moves to another server, key by key', async () => {
    const { store, errors } = await open();
    const other = await open();
    await store.set('/', page('moved'), store.version(), 600);
    const from = await cluster.primaryOf(pageKeyOf('/'));
    const to = (await cluster.primaries()).find(({ id }) => id !== from.id)!;
    const slot = String(slotOf(pageKeyOf('/')));
    const [source, target] = [cluster.admin(from.port), cluster.admin(to.port)];
    await target.sendCommand(['CLUSTER', 'SETSLOT', slot, 'IMPORTING', from.id]);
    await source.sendCommand(['CLUSTER', 'SETSLOT', slot, 'MIGRATING', to.id]);
    await target.sendCommand(['SCRIPT', 'FLUSH']);
    const move = `MIGRATE 127.0.0.1 ${to.port} ${pageKeyOf('/')} 0 5000`.split(' ');
    await source.sendCommand(move);
    expect(await bodyOf(store, '/')).toBe('moved');
    await store.set('/', page('set there'), store.version(), 600);
    expect(await bodyOf(other.store, '/')).toBe('set there');
    const lease = await store.lease('/', '/products/1');
    expect(lease).toHaveProperty('release');
    expect(await other.store.lease('/', '/products/1')).toBe('taken');
    expect(await target.sendCommand(['CLUSTER', 'COUNTKEYSINSLOT', slot])).toBeGreaterThan(1);
    expect(slotOf(leaseKeyOf('/'))).toBe(Number(slot));
    if (typeof lease === 'object') await lease.release();
    const rest = await source.sendCommand<string[]>(['CLUSTER', 'GETKEYSINSLOT', slot, '100']);
    for (const key of rest) {
      await source.sendCommand(`MIGRATE 127.0.0.1 ${to.port} ${key} 0 5000`.split(' '));
    }
    for (const admin of [target, source]) {
      await admin.sendCommand(['CLUSTER', 'SETSLOT', slot, 'NODE', to.id]);
    }
    expect(await bodyOf(store, '/')).toBe('set there');
    await store.purge({ tag: 'products', hard: true });
    expect(await other.store.get('/')).toBeUndefined();
    expect([...errors, ...other.errors]).toEqual([]);
  });

  test('purges are confirmed while their slot moves', async () => {
    const [one, other] = [await open(), await open()];
    await one.store.set('/', page('old'), one.store.version(), 600);
    const from = await cluster.primaryOf(PURGES);
    const to = (await cluster.primaries()).find(({ id }) => id !== from.id)!;
    const slot = String(slotOf(PURGES));
    const [source, target] = [cluster.admin(from.port), cluster.admin(to.port)];
    await target.sendCommand(['CLUSTER', 'SETSLOT', slot, 'IMPORTING', from.id]);
    await source.sendCommand(['CLUSTER', 'SETSLOT', slot, 'MIGRATING', to.id]);
    const keys = await source.sendCommand<string[]>(['CLUSTER', 'GETKEYSINSLOT', slot, '100']);
    const place = ['127.0.0.1', String(to.port), '', '0', '5000'];
    await source.sendCommand(['MIGRATE', ...place, 'KEYS', ...keys]);
    await one.store.purge({ tag: 'products', hard: true });
    expect(await other.store.get('/')).toBeUndefined();
    for (const admin of [target, source]) {
      await admin.sendCommand(['CLUSTER', 'SETSLOT', slot, 'NODE', to.id]);
    }
    await one.store.set('/', page('new'), one.store.version(), 600);
    expect(await bodyOf(other.store, '/')).toBe('new');
    await other.store.purge({ path: '/products/1', hard: true });
    expect(await one.store.get('/')).toBeUndefined();
    await vi.waitFor(() => expect(one.purges).toContainEqual({ path: '/products/1', hard: true }));
    expect([...one.errors, ...other.errors]).toEqual([]);
  });

  test('a purge that no replica has is not confirmed', async () => {
    const { store } = await open();
    const primary = await cluster.agreedPrimaryOf(`ng-ssr:${PURGES}`);
    const replica = (await cluster.replicaOf(primary))!;
    const process = cluster.processAt(replica.port);
    process.pause();
    onTestFinished(() => process.resume());
    await expect(store.purge({ tag: 'a' })).rejects.toMatchObject({
      code: 'NG_SSR_STORE_UNAVAILABLE',
    });
    process.resume();
    await vi.waitFor(() => store.purge({ tag: 'a' }), POLL);
  });

  test('a cluster that is not there costs nothing, is reported once, and names no password', async () => {
    const errors: unknown[] = [];
    const client = { username: 'user', password: 'secret-word' };
    const store = redisPageStore({ cluster: ['127.0.0.1:1'], client });
    store.open({ buildId: 'build', onPurge() {}, onError: (error) => errors.push(error) });
    onTestFinished(() => store.close());
    expect(await store.get('/')).toBeUndefined();
    expect(await store.lease('/', '/')).toBeUndefined();
    await expect(store.purge({ tag: 'a' })).rejects.toMatchObject({
      code: 'NG_SSR_STORE_UNAVAILABLE',
    });
    await vi.waitFor(() => expect(errors).toHaveLength(1), POLL);
    expect(String(errors[0])).toContain('Redis Cluster at 127.0.0.1:1 is unreachable');
    expect(String(errors[0])).not.toContain('secret-word');
  });
});
