import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { bodyOf, openStore, page, readyStore } from './open-store.ts';
import { isRedisServerMissing, RedisServer } from './redis-server.ts';

describe.skipIf(isRedisServerMissing())('entries', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await RedisServer.start();
  });
  afterEach(() => server.redis.flushAll());
  afterAll(() => server?.stop());

  test('what one process has stored, another gets as it was', async () => {
    const [one, other] = [await readyStore(server), await readyStore(server)];
    const entry = page('<h1>Grüße</h1>\0\n', {
      status: 404,
      headers: ['X-One', 'a, b', 'x-one', '', 'set-note', 'caf\xe9\t"quoted"'],
      tags: ['a b', 'ü', ''],
      dateMs: Date.now() - 1234,
      freshSeconds: 1.5,
      nonceAt: [0, 4, 4],
    });
    await one.store.set('/products/1', entry, one.store.version(), 60);
    const found = await other.store.get('/products/1');
    expect(found).toEqual({ entry: { ...entry, body: expect.anything() }, isPurged: false });
    expect(await bodyOf(other.store, '/products/1')).toBe('<h1>Grüße</h1>\0\n');
    expect(await other.store.get('/products/2')).toBeUndefined();
    expect([...one.errors, ...other.errors]).toEqual([]);
  });

  test('the names of fields that complete a key are an entry too', async () => {
    const { store } = await readyStore(server);
    await store.set('/', { vary: ['accept-language', 'x-theme'] }, store.version(), 60);
    const entry = { vary: ['accept-language', 'x-theme'] };
    expect(await store.get('/')).toEqual({ entry, isPurged: false });
    await store.set('/', page('', { dateMs: Date.now() + 1000 }), store.version(), 60);
    expect(await bodyOf(store, '/')).toBe('');
  });

  test('a body of any bytes and of the allowed length comes back, a longer one is not shared', async () => {
    const { store, errors } = await readyStore(server, { maxEntryBytes: 300_000 });
    const body = Buffer.alloc(299_000, 'ab\xff\r\n\0', 'latin1');
    await store.set('fits', page('', { body }), store.version(), 60);
    const found = await store.get('fits');
    expect(found !== undefined && 'body' in found.entry && body.equals(found.entry.body)).toBe(
      true,
    );
    await store.set('long', page('', { body: Buffer.alloc(300_000) }), store.version(), 60);
    expect(await store.get('long')).toBeUndefined();
    expect(await server.redis.keys('*:page:*')).toEqual(['ng-ssr:build:page:fits']);
    const { store: strict } = await readyStore(server, { maxEntryBytes: 200_000 });
    expect(await strict.get('fits')).toBeUndefined();
    expect(errors).toEqual([]);
  });

  test('a page does not keep the memory of others', async () => {
    const { store } = await readyStore(server);
    await store.set('small', page('small'), store.version(), 60);
    await store.set('large', page('x'.repeat(200_000)), store.version(), 60);
    const found = await Promise.all(['small', 'large', 'small'].map((key) => store.get(key)));
    for (const { entry } of found.map((each) => each!)) {
      const { body } = entry as { body: Uint8Array };
      expect(body.buffer.byteLength).toBeLessThan(2 * body.byteLength + 2_000);
    }
  });

  test('a newer page is not overwritten by an older one, in whatever order they come', async () => {
    const [one, other] = [await readyStore(server), await readyStore(server)];
    const before = one.store.version();
    const now = Date.now();
    await one.store.set('/', page('newer', { dateMs: now }), before, 60);
    await other.store.set('/', page('older', { dateMs: now - 1 }), before, 60);
    expect(await bodyOf(one.store, '/')).toBe('newer');
    await one.store.purge({ tag: 'unrelated' });
    const after = one.store.version();
    await one.store.set('/', page('of a later purge', { dateMs: now - 5000 }), after, 60);
    expect(await bodyOf(one.store, '/')).toBe('of a later purge');
    await other.store.set('/', page('of an earlier purge', { dateMs: now + 1000 }), before, 60);
    expect(await bodyOf(one.store, '/')).toBe('of a later purge');
    await Promise.all(
      [5, 3, 9, 1, 7].map((offset, index) =>
        [one, other][index % 2]!.store.set(
          '/',
          page(`${offset}`, { dateMs: now + offset }),
          after,
          60,
        ),
      ),
    );
    expect(await bodyOf(one.store, '/')).toBe('9');
  });

  test('an entry is gone when it is deleted, and when its time is over', async () => {
    const { store } = await readyStore(server);
    await store.set('/', page('one'), store.version(), 60);
    await store.delete('/');
    expect(await store.get('/')).toBeUndefined();
    await store.set('/', page('two'), store.version(), 0.05);
    await vi.waitFor(async () => expect(await store.get('/')).toBeUndefined());
    for (const seconds of [0, -1, NaN]) await store.set('/', page('no'), store.version(), seconds);
    expect(await store.get('/')).toBeUndefined();
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
    expect(await store.lease('/')).toMatchObject({});
    const keys = await server.redis.keys('*');
    expect(keys).toHaveLength(7);
    for (const key of keys) expect(await server.redis.pTTL(key), key).toBeGreaterThan(0);
    expect(await server.redis.pTTL('ng-ssr:build:page:/')).toBeLessThanOrEqual(60_000);
    // No page outlives the purges that may concern it.
    const purges = await server.redis.pTTL('ng-ssr:build:purges');
    expect(await server.redis.pTTL('ng-ssr:build:page:/ever')).toBeLessThan(purges);
  });

  test('long keys are short in Redis, and are still told apart', async () => {
    const { store } = await readyStore(server);
    const long = `/search?q=${'ü'.repeat(5_000)}`;
    await store.set(long, page('long'), store.version(), 60);
    await store.set(`${long}x`, page('longer'), store.version(), 60);
    expect(await bodyOf(store, long)).toBe('long');
    expect(await bodyOf(store, `${long}x`)).toBe('longer');
    const keys = await server.redis.keys('*:page:*');
    expect(keys).toHaveLength(2);
    for (const key of keys) expect(key.length).toBeLessThan(600);
    // The same short key for two long ones: the value says whose it is.
    await server.redis.copy(keys[0]!, keys[1]!, { REPLACE: true });
    const bodies = [await bodyOf(store, long), await bodyOf(store, `${long}x`)];
    expect(bodies.filter((body) => body === undefined)).toHaveLength(1);
  });

  test('pages of another build or prefix are not found, and their purges not heard', async () => {
    const { store, purges } = await readyStore(server);
    const build = await readyStore(server, { buildId: 'other' });
    const prefix = await readyStore(server, { prefix: 'other' });
    await store.set('/', page('mine'), store.version(), 60);
    expect(await build.store.get('/')).toBeUndefined();
    expect(await prefix.store.get('/')).toBeUndefined();
    await build.store.purge({ prefix: '/' });
    await prefix.store.purge({ prefix: '/', hard: true });
    expect(await store.get('/')).toMatchObject({ isPurged: false });
    expect(purges).toEqual([]);
  });

  test('one process at a time has the lease of a page', async () => {
    const [one, other] = [await readyStore(server), await readyStore(server)];
    const lease = await one.store.lease('/');
    expect(lease).toHaveProperty('release');
    expect(await other.store.lease('/')).toBe('taken');
    expect(await one.store.lease('/')).toBe('taken');
    expect(await other.store.lease('/other')).toHaveProperty('release');
    if (typeof lease === 'object') await lease.release();
    const next = await other.store.lease('/');
    expect(next).toHaveProperty('release');
    // A second release ends nobody else's lease.
    if (typeof lease === 'object') await lease.release();
    expect(await one.store.lease('/')).toBe('taken');
  });

  test('a lease that nobody ends runs out', async () => {
    const one = await readyStore(server, { leaseMs: 50 });
    const other = await readyStore(server);
    const lease = await one.store.lease('/');
    await vi.waitFor(async () => {
      expect(await other.store.lease('/')).toHaveProperty('release');
    });
    if (typeof lease === 'object') await lease.release();
    expect(await one.store.lease('/')).toBe('taken');
  });

  test('nothing waits for the connection', async () => {
    const { store } = openStore(server);
    expect(store.version()).toBe(0);
    expect(await store.get('/')).toBeUndefined();
    expect(await store.lease('/')).toBeUndefined();
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
