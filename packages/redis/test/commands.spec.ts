import { describe, expect, test } from 'vitest';
import { page, readyStore } from './open-store.ts';
import { isRedisServerMissing, useRedis } from './redis-server.ts';

const KEY = 'https://shop.example\n/products?q=1';

describe.skipIf(isRedisServerMissing())('commands', () => {
  const server = useRedis();

  /** How often each command was called, also by scripts. The timer of a store adds GETEX. */
  async function callsOf(work: () => Promise<unknown>): Promise<Record<string, number>> {
    await server.redis.configResetStat();
    await work();
    const info = await server.redis.info('commandstats');
    const calls = [...info.matchAll(/cmdstat_([\w|]+):calls=(\d+)/g)].map(
      ([, name, count]) => [name!, Number(count)] as const,
    );
    const own = calls.filter(([name]) => !/^(config|info|client|ping|getex)/.test(name));
    return Object.fromEntries(own);
  }

  test('a hit is PTTL, GETRANGE and GETEX; a page is stored with its note by two scripts', async () => {
    const { store } = await readyStore(server);
    const set = (): Promise<void> => store.set(KEY, page('a'), store.version(), 60);
    const lease = async (): Promise<void> => {
      const held = await store.lease(KEY, '/products');
      if (typeof held === 'object') await held.release();
    };
    // Once, so that Redis has the scripts.
    await lease();
    await set();
    expect(await callsOf(() => store.get(KEY))).toEqual({ pttl: 1, getrange: 1 });
    expect(await callsOf(set)).toMatchObject({ evalsha: 2, getrange: 1, set: 2, zadd: 1 });
    expect(await callsOf(lease)).toMatchObject({ evalsha: 2, set: 2, del: 1 });
    expect(await callsOf(() => store.purge({ tag: 'a' }))).toMatchObject({
      evalsha: 1,
      publish: 1,
    });
    expect(await callsOf(() => store.invalidate!('/none'))).toEqual({ touch: 1 });
  });
});
