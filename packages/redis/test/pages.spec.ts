import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { bodyOf, openStore, page, pageKeyOf, readyStore } from './open-store.ts';
import { isRedisServerMissing, useRedis } from './redis-server.ts';

describe.skipIf(isRedisServerMissing())('entries', () => {
  const server = useRedis();
  // Not after a test: its stores are closed later, and may still write.
  beforeEach(() => server.redis.flushAll());

  describe('an age is counted by the clock of Redis alone', () => {
    afterEach(() => vi.useRealTimers());

    test.each([-200, 200])('a writer whose clock is %i s ahead', async (seconds) => {
      const { store } = await readyStore(server);
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 });
      await store.set('/', page('page', { dateMs: Date.now() - 5_000 }), store.version(), 60);
      vi.useRealTimers();
      const found = await store.get('/');
      const { dateMs } = found!.entry as { dateMs: number };
      expect(Date.now() - dateMs).toBeGreaterThanOrEqual(5_000);
      expect(Date.now() - dateMs).toBeLessThan(15_000);
      // Nor does its page outlive one that is newer.
      await store.set('/', page('newer'), store.version(), 60);
      expect(await bodyOf(store, '/')).toBe('newer');
    });

    test('a page whose key ends too late, or never, is a miss', async () => {
      const { store } = await readyStore(server);
      for (const change of [
        () => server.redis.persist(pageKeyOf('/')),
        () => server.redis.expire(pageKeyOf('/'), 3_600),
      ]) {
        await store.set('/', page('page'), store.version(), 60);
        expect(await bodyOf(store, '/')).toBe('page');
        await change();
        expect(await store.get('/')).toBeUndefined();
      }
      await store.set('/', page('newer'), store.version(), 60);
      expect(await bodyOf(store, '/')).toBe('newer');
    });
  });

  test('names of keys hold nothing of what clients send', async () => {
    const { store } = await readyStore(server);
    const key = 'https://shop.example\n/reset/secret?token=secret\n=secret\n\n\nx-user\n=secret';
    await store.set(key, page('page'), store.version(), 60);
    await store.set('/vary', { vary: ['cookie'] }, store.version(), 60);
    await store.lease(key, '/page');
    expect((await server.redis.keys('*')).join('\n')).not.toContain('secret');
    const value = await server.redis.get(pageKeyOf(key));
    expect(value).toContain('text/html');
    expect(value).not.toContain('secret');
    expect(await bodyOf(store, key)).toBe('page');
  });

  test('3,000 queries of one path are 500 pages', async () => {
    const { store } = await readyStore(server);
    const keys = Array.from({ length: 3_000 }, (_, count) => `https://shop.example\n/?q=${count}`);
    await Promise.all(keys.map((key) => store.set(key, page('page'), store.version(), 60)));
    expect(await server.redis.keys('*:page:*')).toHaveLength(500);
  });

  test('every key in Redis runs out', async () => {
    const { store } = await readyStore(server);
    await store.set('/', page('page'), store.version(), 60);
    await store.set('/year', page('page'), store.version(), 365 * 86_400);
    await store.set('/ever', page('page'), store.version(), Infinity);
    await store.set('/vary', { vary: ['accept'] }, store.version(), 60);
    for (const purge of [{ path: '/a' }, { prefix: '/b' }, { tag: 'c', hard: true }]) {
      await store.purge(purge);
    }
    expect(await store.lease('/', '/page')).toMatchObject({});
    const keys = await server.redis.keys('*');
    expect(keys).toHaveLength(9);
    for (const key of keys) expect(await server.redis.pTTL(key), key).toBeGreaterThan(0);
    expect(await server.redis.pTTL(pageKeyOf('/'))).toBeLessThanOrEqual(60_000);
    // No page outlives the purges that may concern it.
    const purges = await server.redis.pTTL('ng-ssr:{purges}');
    expect(await server.redis.pTTL(pageKeyOf('/ever'))).toBeLessThan(purges);
  });

  test('long keys are short in Redis, and a value is of one key alone', async () => {
    const { store } = await readyStore(server);
    const long = `/search?q=${'ü'.repeat(5_000)}`;
    await store.set(long, page('long'), store.version(), 60);
    await store.set(`${long}x`, page('longer'), store.version(), 60);
    expect(await bodyOf(store, long)).toBe('long');
    expect(await bodyOf(store, `${long}x`)).toBe('longer');
    const keys = await server.redis.keys('*:page:*');
    expect(keys).toHaveLength(2);
    for (const key of keys) expect(key.length).toBeLessThan(100);
    await server.redis.copy(keys[0]!, keys[1]!, { REPLACE: true });
    const bodies = [await bodyOf(store, long), await bodyOf(store, `${long}x`)];
    expect(bodies.filter((body) => body === undefined)).toHaveLength(1);
  });

  test('a purge reaches the processes of one database alone', async () => {
    const [one, other] = [
      await readyStore(server),
      await readyStore(server, { url: `${server.url}/3` }),
    ];
    await other.store.set('/', page('kept'), other.store.version(), 60);
    const neighbour = await readyStore(server, { url: `${server.url}/3` });
    await one.store.purge({ prefix: '/', hard: true });
    expect(await other.store.get('/')).toMatchObject({ isPurged: false });
    // Behind that purge, one of their own arrives.
    await other.store.purge({ tag: 'own' });
    await vi.waitFor(() => expect(neighbour.purges).toEqual([{ tag: 'own' }]));
    expect(one.purges).toEqual([]);
    expect(other.purges).toEqual([]);
    await server.redis.flushAll();
  });

  test('pages of another build or prefix are not found, and purges of another prefix are ignored', async () => {
    const { store, purges } = await readyStore(server);
    const build = await readyStore(server, { buildId: 'other' });
    const prefix = await readyStore(server, { prefix: 'other' });
    await store.set('/', page('mine'), store.version(), 60);
    expect(await build.store.get('/')).toBeUndefined();
    expect(await prefix.store.get('/')).toBeUndefined();
    await prefix.store.purge({ prefix: '/', hard: true });
    expect(await store.get('/')).toMatchObject({ isPurged: false });
    expect(purges).toEqual([]);
  });

  test('nothing waits for the connection', async () => {
    const { store } = openStore(server);
    expect(store.version()).toBe(0);
    expect(await store.get('/')).toBeUndefined();
    expect(await store.lease('/', '/page')).toBeUndefined();
    await store.set('/', page('dropped'), 0, 60);
    await store.delete('/');
    await expect(store.purge({ path: '/' })).rejects.toMatchObject({
      code: 'NG_SSR_STORE_UNAVAILABLE',
    });
    await vi.waitFor(async () => {
      await store.set('/', page('kept'), store.version(), 60);
      expect(await bodyOf(store, '/')).toBe('kept');
    });
  });
});
