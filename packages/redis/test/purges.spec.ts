import type { Purge } from '@ng-ssr/core';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { bodyOf, openStore, page, readyStore } from './open-store.ts';
import { isRedisServerMissing, RedisServer } from './redis-server.ts';

describe.skipIf(isRedisServerMissing())('purges', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await RedisServer.start();
  });
  afterEach(() => server.redis.flushAll());
  afterAll(() => server?.stop());

  const matching: Purge[] = [{ path: '/products/1' }, { prefix: '/prod' }, { tag: 'product-1' }];
  const others: Purge[] = [
    { path: '/products' },
    { path: '/products/10' },
    { prefix: '/products/1/' },
    { prefix: 'products' },
    { tag: 'product' },
    { tag: '/products/1' },
  ];

  for (const purge of matching) {
    const [[kind, name]] = Object.entries(purge) as [[string, string]];

    test(`by ${kind}: pages are stale in every process, those rendered later are not`, async () => {
      const [one, other] = [await readyStore(server), await readyStore(server)];
      const before = one.store.version();
      await one.store.set('/', page('old'), before, 60);
      await one.store.purge(purge);
      expect(await one.store.get('/')).toMatchObject({ isPurged: true });
      expect(await other.store.get('/')).toMatchObject({ isPurged: true });
      expect(other.store.version()).toBe(one.store.version());
      expect(one.store.version()).toBeGreaterThan(before);
      await other.store.set('/', page('new'), other.store.version(), 60);
      expect(await one.store.get('/')).toMatchObject({ isPurged: false });
      expect(await bodyOf(one.store, '/')).toBe('new');
      // A render that began before the purge does not count as new.
      await one.store.set('/late', page('late'), before, 60);
      expect(await other.store.get('/late')).toMatchObject({ isPurged: true });
      await vi.waitFor(() => expect(other.purges).toEqual([{ [kind]: name }]));
      expect(one.purges).toEqual([]);
    });

    test(`by ${kind}, hard: pages are gone`, async () => {
      const [one, other] = [await readyStore(server), await readyStore(server)];
      await one.store.set('/', page('old'), one.store.version(), 60);
      await one.store.purge({ ...purge, hard: true });
      // A soft purge behind it does not bring them back.
      await one.store.purge(purge);
      expect(await one.store.get('/')).toBeUndefined();
      expect(await other.store.get('/')).toBeUndefined();
      await other.store.set('/', page('new'), other.store.version(), 60);
      expect(await one.store.get('/')).toMatchObject({ isPurged: false });
      await vi.waitFor(() =>
        expect(other.purges).toEqual([{ [kind]: name, hard: true }, { [kind]: name }]),
      );
    });
  }

  test('no other pages are concerned', async () => {
    const { store } = await readyStore(server);
    await store.set('/', page('page'), store.version(), 60);
    await store.set('/names', { vary: ['accept'] }, store.version(), 60);
    for (const purge of others) {
      await store.purge(purge);
      await store.purge({ ...purge, hard: true });
    }
    expect(await store.get('/')).toMatchObject({ isPurged: false });
    await store.purge({ prefix: '/', hard: true });
    expect(await store.get('/')).toBeUndefined();
    // Names of fields are no content.
    expect(await store.get('/names')).toMatchObject({ isPurged: false });
  });

  test('names of any characters are purged', async () => {
    const [one, other] = [await readyStore(server), await readyStore(server)];
    for (const tag of ['a:b', 'hard:tag:x', 'ü"\\\n', ' ', 'prefix']) {
      await one.store.set(tag, page(tag, { tags: [tag] }), one.store.version(), 60);
      await one.store.purge({ tag });
      expect(await other.store.get(tag), tag).toMatchObject({ isPurged: true });
      await vi.waitFor(() => expect(other.purges.at(-1)).toEqual({ tag }));
    }
  });

  test('another process receives a purge within 100 ms', { retry: 5 }, async () => {
    const [one, other] = [await readyStore(server), await readyStore(server)];
    const elapsedMs: number[] = [];
    for (let count = 1; count <= 20; count++) {
      const start = performance.now();
      await one.store.purge({ tag: `tag-${count}` });
      while (other.purges.length < count) await new Promise(setImmediate);
      elapsedMs.push(performance.now() - start);
    }
    const longestMs = Math.max(...elapsedMs);
    console.log(`a purge was heard of within ${longestMs.toFixed(1)} ms`);
    expect(longestMs).toBeLessThan(100);
  });

  test('purges of several processes at once reach all, once', async () => {
    const stores = [await readyStore(server), await readyStore(server), await readyStore(server)];
    await Promise.all(
      stores.flatMap(({ store }, from) =>
        Array.from({ length: 50 }, (_, count) => store.purge({ tag: `${from}-${count}` })),
      ),
    );
    await vi.waitFor(() => {
      for (const [to, { purges }] of stores.entries()) {
        const tags = purges.map(({ tag }) => tag!);
        expect(new Set(tags).size).toBe(tags.length);
        expect(tags.filter((tag) => !tag.startsWith(`${to}-`))).toHaveLength(100);
      }
      expect(new Set(stores.map(({ store }) => store.version())).size).toBe(1);
    });
  });

  test('a process that has just started knows of all purges before it judges a page', async () => {
    const one = await readyStore(server);
    const before = one.store.version();
    for (const key of ['soft', 'hard', 'kept']) {
      await one.store.set(key, page(key, { path: `/${key}`, tags: [key] }), before, 60);
    }
    await one.store.purge({ tag: 'soft' });
    await one.store.purge({ prefix: '/har', hard: true });
    const { store } = openStore(server);
    // Until it knows them it has nothing.
    await vi.waitFor(async () => expect(await bodyOf(store, 'kept')).toBe('kept'));
    expect(await store.get('soft')).toMatchObject({ isPurged: true });
    expect(await store.get('hard')).toBeUndefined();
    expect(await store.get('kept')).toMatchObject({ isPurged: false });
    expect(store.version()).toBe(one.store.version());
  });

  test('what was published while the subscription was lost is caught up with', async () => {
    const [one, other] = [await readyStore(server), await readyStore(server)];
    await one.store.set('/', page('old'), one.store.version(), 60);
    await Promise.all([
      server.redis.sendCommand(['CLIENT', 'KILL', 'TYPE', 'pubsub']),
      one.store.purge({ tag: 'products' }),
      one.store.purge({ path: '/a', hard: true }),
    ]);
    expect(await other.store.get('/')).toMatchObject({ isPurged: true });
    await vi.waitFor(
      () => expect(other.purges).toEqual([{ tag: 'products' }, { path: '/a', hard: true }]),
      5_000,
    );
    // And it hears again.
    await vi.waitFor(async () => {
      await one.store.purge({ tag: 'later' });
      expect(other.purges).toContainEqual({ tag: 'later' });
    }, 5_000);
    expect([...one.errors, ...other.errors]).toEqual([]);
  });

  test('a process that may not subscribe reports it once, and still learns of purges', async () => {
    await server.redis.sendCommand('ACL SETUSER deaf on >secret ~* +@all resetchannels'.split(' '));
    const one = await readyStore(server);
    const url = server.url.replace('//', '//deaf:secret@');
    const deaf = openStore(server, { url });
    await vi.waitFor(() => expect(deaf.store.version()).toBeGreaterThan(0));
    await one.store.purge({ tag: 'news' });
    await vi.waitFor(() => expect(deaf.purges).toEqual([{ tag: 'news' }]), 5_000);
    expect(deaf.errors).toHaveLength(1);
    expect(deaf.errors[0]).toMatchObject({ code: 'NG_SSR_STORE_UNAVAILABLE' });
    expect(deaf.errors[0]!.message).toContain('refuses the command "subscribe"');
    expect(deaf.errors[0]!.message).not.toContain('secret');
  });

  describe('when Redis has lost them', () => {
    const forget = (): Promise<number> =>
      server.redis.del(['ng-ssr:build:purges', 'ng-ssr:build:purges:latest']);

    test('a process that knows them gives them back', async () => {
      const one = await readyStore(server);
      const before = one.store.version();
      await one.store.set('/', page('old'), before, 60);
      await one.store.set('/b', page('kept', { path: '/b', tags: ['kept'] }), before, 60);
      await one.store.purge({ tag: 'products', hard: true });
      const { version } = { version: one.store.version() };
      await forget();
      expect(await one.store.get('/')).toBeUndefined();
      expect(await bodyOf(one.store, '/b')).toBe('kept');
      const other = await readyStore(server);
      expect(await other.store.get('/')).toBeUndefined();
      expect(await other.store.get('/b')).toMatchObject({ isPurged: false });
      expect(other.store.version()).toBe(version);
      expect(one.purges).toEqual([]);
    });

    test('and one that missed a purge learns of it so', async () => {
      const [one, other] = [await readyStore(server), await readyStore(server)];
      await one.store.purge({ tag: 'heard' });
      await vi.waitFor(() => expect(other.purges).toHaveLength(1));
      await Promise.all([
        server.redis.sendCommand(['CLIENT', 'KILL', 'TYPE', 'pubsub']),
        one.store.purge({ tag: 'missed' }).then(forget),
      ]);
      await vi.waitFor(() => expect(other.purges).toContainEqual({ tag: 'missed' }), 5_000);
    });

    test('pages are gone when no process knows them', async () => {
      const one = await readyStore(server);
      await one.store.set('/', page('old'), one.store.version(), 60);
      await one.store.purge({ tag: 'products', hard: true });
      await one.store.set('/b', page('b', { path: '/b' }), one.store.version(), 60);
      await one.store.close();
      for (const key of ['ng-ssr:build:purges', 'ng-ssr:build:purges:latest']) {
        await server.redis.del(key);
        const { store, purges } = await readyStore(server);
        // Whichever of the two is lost, it is unknown what has become of these.
        expect(await store.get('/'), key).toBeUndefined();
        await store.set('/new', page('new'), store.version(), 60);
        expect(await bodyOf(store, '/new'), key).toBe('new');
        expect(purges).toEqual(key.endsWith('latest') ? expect.anything() : []);
        await store.close();
      }
    });

    test('versions go on growing', async () => {
      const one = await readyStore(server);
      await one.store.purge({ tag: 'a' });
      const before = one.store.version();
      await forget();
      await one.store.purge({ tag: 'b' });
      expect(one.store.version()).toBeGreaterThan(before);
    });
  });

  test(
    'their number is bounded, and no purge is forgotten for it',
    { timeout: 60_000 },
    async () => {
      const [one, other] = [await readyStore(server), await readyStore(server)];
      const before = one.store.version();
      await one.store.set('/', page('old'), before, 60);
      await one.store.purge({ tag: 'products' });
      for (let count = 0; count < 10_500; count += 500) {
        await Promise.all(
          Array.from({ length: 500 }, (_, index) => one.store.purge({ tag: `t${count + index}` })),
        );
      }
      expect(await server.redis.zCard('ng-ssr:build:purges')).toBeLessThanOrEqual(10_000);
      const started = await readyStore(server);
      for (const { store } of [one, other, started]) expect(await store.get('/')).toBeUndefined();
      await one.store.set('/', page('new'), one.store.version(), 60);
      for (const { store } of [one, other, started]) {
        expect(await store.get('/')).toMatchObject({ isPurged: false });
        expect(store.version()).toBe(one.store.version());
      }
    },
  );
});
