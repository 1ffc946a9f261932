import { beforeEach, describe, expect, test, vi } from 'vitest';
import { bodyOf, openStore, page, readyStore } from './open-store.ts';
import { isRedisServerMissing, useRedis } from './redis-server.ts';
import { says, ServerProcess } from '../../conformance/test/processes/server-process.ts';

const PATH = '/products/1';

describe.skipIf(isRedisServerMissing())('invalidation', () => {
  const server = useRedis();
  // Not after a test: its stores are closed later, and may still write.
  beforeEach(() => server.redis.flushAll());

  const purgesKept = (): Promise<number> => server.redis.zCard('ng-ssr:{purges}');

  test('paths without pages leave no record, and are not published to other processes', async () => {
    const [one, other] = [await readyStore(server), await readyStore(server)];
    await one.store.set('/', page('kept'), one.store.version(), 60);
    const keys = await server.redis.dbSize();
    const [kept, version] = [await purgesKept(), one.store.version()];
    for (let round = 0; round < 4; round++) {
      await Promise.all(
        Array.from({ length: 500 }, (_, i) => one.store.invalidate!(`/api/${round}/${i}`)),
      );
    }
    expect([await server.redis.dbSize(), await purgesKept()]).toEqual([keys, kept]);
    expect(one.store.version()).toBe(version);
    expect(other.purges).toEqual([]);
    expect(await bodyOf(other.store, '/')).toBe('kept');
    expect([...one.errors, ...other.errors]).toEqual([]);
  });

  test('a storm on one path is a purge at a time, and the last of it counts', async () => {
    const [one, other] = [await readyStore(server), await readyStore(server)];
    await one.store.set('/', page('old'), one.store.version(), 60);
    const storm = Array.from({ length: 2_000 }, () => one.store.invalidate!(PATH));
    await Promise.all(storm);
    expect(await purgesKept()).toBeLessThanOrEqual(2);
    await vi.waitFor(() => expect(other.purges.length).toBeGreaterThan(0));
    expect(other.purges.length).toBeLessThanOrEqual(2);
    expect(await other.store.get('/')).toBeUndefined();
  });

  test('while Redis is away they fail at once, any number of them', async () => {
    const url = server.url.replace(/:\d+$/, ':1');
    const away = openStore(server, { url, timeoutMs: 50 });
    const asked = Array.from({ length: 5_000 }, (_, i) => away.store.invalidate!(`/api/${i}`));
    const outcomes = await Promise.allSettled(asked);
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ reason: { code: 'NG_SSR_STORE_UNAVAILABLE' } });
    }
  });

  test('a POST in one process reaches the pages of the others', async () => {
    const options = { redis: { url: server.url, timeoutMs: 2_000 } };
    const [one, other] = await Promise.all([
      ServerProcess.start(options),
      ServerProcess.start(options),
    ]);
    try {
      let target = '';
      let tries = 0;
      await vi.waitFor(
        async () => {
          // Each time another page: what a process has rendered before it has reached Redis stays its own.
          target = says('/comments', { 'cache-control': 's-maxage=600', n: String(tries++) });
          const { page: first } = await one.ask(target);
          const second = await other.ask(target);
          expect(second.page).toEqual(first);
          expect(second.cache).toMatch(/^hit/);
        },
        { timeout: 30_000 },
      );
      const { page: before } = await one.ask(target);
      expect(await other.ask('/comments', { method: 'POST' })).toMatchObject({ status: 204 });
      await vi.waitFor(async () => {
        const { page: after } = await one.ask(target);
        expect(after).not.toEqual(before);
        expect((await other.ask(target)).page).toEqual(after);
      });
    } finally {
      await Promise.all([one.kill(), other.kill()]);
    }
  });
});
