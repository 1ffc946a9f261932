import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { bodyOf, openStore, page, readyStore } from './open-store.ts';
import { isRedisServerMissing, useRedis } from './redis-server.ts';

describe.skipIf(isRedisServerMissing())('purges', () => {
  const server = useRedis();
  // Not after a test: its stores are closed later, and may still write.
  beforeEach(() => server.redis.flushAll());

  test('another process receives a purge by its message, before it asks for purges', async () => {
    // Without its timer, a store asks for purges only when it is asked for a page.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const [one, other] = [await readyStore(server), await readyStore(server)];
    const elapsedMs: number[] = [];
    for (let count = 1; count <= 20; count++) {
      const start = performance.now();
      await one.store.purge({ tag: `tag-${count}` });
      while (other.purges.length < count) await new Promise(setImmediate);
      elapsedMs.push(performance.now() - start);
    }
    console.log(`a purge was heard of within ${Math.max(...elapsedMs).toFixed(1)} ms`);
    expect(other.purges).toHaveLength(20);
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
    });
    expect([...one.errors, ...other.errors]).toEqual([]);
  });

  test('a process that may not subscribe reports it once, and still learns of purges', async () => {
    await server.redis.sendCommand('ACL SETUSER deaf on >secret ~* +@all resetchannels'.split(' '));
    const one = await readyStore(server);
    const url = server.url.replace('//', '//deaf:secret@');
    const deaf = openStore(server, { url });
    await vi.waitFor(() => expect(deaf.store.version()).toBeGreaterThan(0));
    await one.store.purge({ tag: 'news' });
    await vi.waitFor(() => expect(deaf.purges).toEqual([{ tag: 'news' }]));
    expect(deaf.errors).toHaveLength(1);
    expect(deaf.errors[0]).toMatchObject({ code: 'NG_SSR_STORE_UNAVAILABLE' });
    expect(deaf.errors[0]!.message).toContain('rejects the command "subscribe"');
    expect(deaf.errors[0]!.message).not.toContain('secret');
  });

  test('one that Redis refuses makes no removed page usable again', async () => {
    await server.redis.sendCommand('ACL SETUSER weak on >secret ~* &* +@all'.split(' '));
    const { store } = await readyStore(server, { url: server.url.replace('//', '//weak:secret@') });
    await store.set('/', page('old'), store.version(), 60);
    await store.purge({ tag: 'products', hard: true });
    await server.redis.sendCommand('ACL SETUSER weak -zadd'.split(' '));
    await expect(store.purge({ tag: 'products' })).rejects.toMatchObject({
      code: 'NG_SSR_STORE_UNAVAILABLE',
    });
    expect(await store.get('/')).toBeUndefined();
  });

  describe('when Redis has lost them', () => {
    const forget = (): Promise<number> =>
      server.redis.del(['ng-ssr:{purges}', 'ng-ssr:{purges}:latest']);

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
      await vi.waitFor(() => expect(other.purges).toContainEqual({ tag: 'missed' }));
    });

    test('pages are gone when no process knows them', async () => {
      const one = await readyStore(server);
      await one.store.set('/', page('old'), one.store.version(), 60);
      await one.store.purge({ tag: 'products', hard: true });
      await one.store.set('/b', page('b', { path: '/b' }), one.store.version(), 60);
      await one.store.close();
      for (const key of ['ng-ssr:{purges}', 'ng-ssr:{purges}:latest']) {
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

  test('their number is bounded, and no purge is forgotten for it', async () => {
    const [one, other] = [await readyStore(server), await readyStore(server)];
    const before = one.store.version();
    await one.store.set('/', page('old'), before, 60);
    await one.store.purge({ tag: 'products' });
    for (let count = 0; count < 10_500; count += 500) {
      await Promise.all(
        Array.from({ length: 500 }, (_, index) => one.store.purge({ tag: `t${count + index}` })),
      );
    }
    expect(await server.redis.zCard('ng-ssr:{purges}')).toBeLessThanOrEqual(10_000);
    const started = await readyStore(server);
    for (const { store } of [one, other, started]) expect(await store.get('/')).toBeUndefined();
    await one.store.set('/', page('new'), one.store.version(), 60);
    for (const { store } of [one, other, started]) {
      expect(await store.get('/')).toMatchObject({ isPurged: false });
      expect(store.version()).toBe(one.store.version());
    }
  });
});
