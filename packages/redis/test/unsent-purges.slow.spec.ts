import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { bodyOf, page, readyStore } from './open-store.ts';
import { isRedisServerMissing, RedisServer } from './redis-server.ts';

const POLL = { timeout: 20_000, interval: 20 };
/** All that are kept are sent, one after the other. */
const LONG = { ...POLL, timeout: 150_000 };

describe.skipIf(isRedisServerMissing())('purges that Redis has confirmed late', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await RedisServer.start();
  });
  afterAll(() => server.stop());

  test('apply to no later page, though they were repeated while Redis was away', async () => {
    const { store } = await readyStore(server, { timeoutMs: 50 });
    server.pause();
    const waiting = store.purge({ tag: 'products', hard: true });
    await store.get('/');
    const repeated = store.purge({ tag: 'products', hard: true });
    const refused = { code: 'NG_SSR_STORE_UNAVAILABLE' };
    await Promise.all([waiting, repeated].map((p) => expect(p).rejects.toMatchObject(refused)));
    server.resume();
    await vi.waitFor(async () => {
      await store.set('/', page('new'), store.version(), 60);
      expect(await bodyOf(store, '/')).toBe('new');
    }, POLL);
  });

  test('nor do those of a path that was changed twice', async () => {
    const { store } = await readyStore(server, { timeoutMs: 50 });
    await store.set('/', page('old'), store.version(), 60);
    server.pause();
    const sent = [1, 2].map(() => store.invalidate!('/products/1'));
    await Promise.allSettled(sent);
    server.resume();
    await vi.waitFor(async () => {
      await store.set('/', page('new'), store.version(), 60);
      expect(await bodyOf(store, '/')).toBe('new');
    }, POLL);
  });

  test('a page that was rendered meanwhile is rendered again: its path was not noted', async () => {
    const { store, purges } = await readyStore(server, { timeoutMs: 50 });
    const path = '/alone';
    const ofPath = (): unknown[] => purges.filter((purge) => purge.path === path);
    server.pause();
    await store.set(path, page('alone', { path }), store.version(), 60);
    expect(ofPath()).toEqual([]);
    server.resume();
    await vi.waitFor(() => expect(ofPath()).toEqual([{ path }]), POLL);
    await store.set(path, page('new', { path }), store.version(), 60);
    expect(await bodyOf(store, path)).toBe('new');
    expect(ofPath()).toHaveLength(1);
  });

  test('nor do more than are kept', async () => {
    const { store } = await readyStore(server, { timeoutMs: 50 });
    server.pause();
    await store.get('/');
    const sent = Array.from({ length: 11_000 }, (_, i) => store.purge({ tag: `t${i}` }));
    await Promise.allSettled(sent);
    server.resume();
    await vi.waitFor(async () => {
      await store.set('/', page('new'), store.version(), 60);
      expect(await bodyOf(store, '/')).toBe('new');
    }, LONG);
  }, 180_000);
});
