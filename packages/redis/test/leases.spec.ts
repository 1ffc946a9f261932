import { describe, expect, test, type TestContext, vi } from 'vitest';
import { digestOf } from '@ng-ssr/core/store';
import { type OpenStore, openStore } from './open-store.ts';
import { isRedisServerMissing, useRedis } from './redis-server.ts';

/** Where Redis has the lease of a key. */
const leaseOf = (key: string): string => `ng-ssr:build:lease:${digestOf(key)}`;
const POLL = { timeout: 10_000, interval: 10 };

// They wait for leases to run out most of the time, each for one of its own.
describe.skipIf(isRedisServerMissing()).concurrent('a lease', { timeout: 20_000 }, () => {
  const server = useRedis();

  /** A key of the test's own, and stores of two processes. */
  async function setUp(
    { task, onTestFinished }: TestContext,
    ...options: readonly Parameters<typeof openStore>[1][]
  ): Promise<{ key: string; leaseKey: string; one: OpenStore; other: OpenStore }> {
    const key = `/${task.id}`;
    const one = openStore(server, options[0], onTestFinished);
    const other = openStore(server, options[1], onTestFinished);
    await vi.waitFor(() => {
      for (const { store } of [one, other]) expect(store.version()).toBeGreaterThan(0);
    }, POLL);
    return { key, leaseKey: leaseOf(key), one, other };
  }

  /** Until a lease runs out later than it would have. */
  async function untilRenewed(leaseKey: string): Promise<void> {
    let least = await server.redis.pTTL(leaseKey);
    await vi.waitFor(async () => {
      const left = await server.redis.pTTL(leaseKey);
      const isRenewed = left > least;
      least = Math.min(left, least);
      expect(isRenewed).toBe(true);
    }, POLL);
  }

  test('is renewed while its holder lives, and ends with its release', async (context) => {
    const { key, leaseKey, one, other } = await setUp(context);
    const lease = await one.store.lease(key, '/page');
    await untilRenewed(leaseKey);
    await untilRenewed(leaseKey);
    expect(await other.store.lease(key, '/page')).toBe('taken');
    if (typeof lease === 'object') await lease.release();
    expect(await other.store.lease(key, '/page')).toHaveProperty('release');
  });

  test('runs out soon when its holder is gone', async (context) => {
    const { key, leaseKey, one, other } = await setUp(context);
    expect(await one.store.lease(key, '/page')).toHaveProperty('release');
    await untilRenewed(leaseKey);
    await one.store.close();
    expect(await other.store.lease(key, '/page')).toBe('taken');
    expect(await server.redis.pTTL(leaseKey)).toBeLessThanOrEqual(2_000);
    await vi.waitFor(async () => {
      expect(await other.store.lease(key, '/page')).toHaveProperty('release');
    }, POLL);
  });

  test.for(['no end', 'an end in an hour'])('that has %s gets one', async (end, context) => {
    const { key, leaseKey, one, other } = await setUp(context);
    const dead = await one.store.lease(key, '/page');
    expect(dead).toHaveProperty('release');
    await one.store.close();
    // PERSIST, and what a clock that was set back leaves.
    if (end === 'no end') await server.redis.persist(leaseKey);
    else await server.redis.expire(leaseKey, 3_600);
    expect(await other.store.lease(key, '/page')).toBe('taken');
    expect(await server.redis.pTTL(leaseKey)).toBeLessThanOrEqual(2_000);
    await vi.waitFor(async () => {
      expect(await other.store.lease(key, '/page')).toHaveProperty('release');
    }, POLL);
  });

  test('that has lost its end stays with a holder who lives', async (context) => {
    const { key, leaseKey, one, other } = await setUp(context);
    expect(await one.store.lease(key, '/page')).toHaveProperty('release');
    for (let again = 0; again < 2; again++) {
      await server.redis.persist(leaseKey);
      expect(await other.store.lease(key, '/page')).toBe('taken');
      await untilRenewed(leaseKey);
    }
    expect(await other.store.lease(key, '/page')).toBe('taken');
  });

  test('of a key that is no lease is given when that is gone', async (context) => {
    const {
      key,
      leaseKey,
      one: { store },
    } = await setUp(context);
    await server.redis.lPush(leaseKey, 'a');
    expect(await store.lease(key, '/page')).toBe('taken');
    await vi.waitFor(
      async () => expect(await store.lease(key, '/page')).toHaveProperty('release'),
      POLL,
    );
  });

  test('is held for leaseMs at most, and its holder does nothing to that of another', async (context) => {
    const { key, leaseKey, one, other } = await setUp(
      context,
      { leaseMs: 1_100 },
      { leaseMs: 60_000 },
    );
    const lease = await one.store.lease(key, '/page');
    await vi.waitFor(async () => {
      expect(await other.store.lease(key, '/page')).toHaveProperty('release');
    }, POLL);
    if (typeof lease === 'object') await lease.release();
    await untilRenewed(leaseKey);
    expect(await one.store.lease(key, '/page')).toBe('taken');
  });

  test('a word without an end, or with one that is far, gets one', async (context) => {
    const {
      key,
      leaseKey,
      one: { store },
    } = await setUp(context);
    await server.redis.set(leaseKey, 'unshared');
    expect(await store.lease(key, '/page')).toBe('unshared');
    expect(await server.redis.pTTL(leaseKey)).toBeGreaterThan(0);
    await server.redis.pExpire(leaseKey, 24 * 60 * 60 * 1000);
    expect(await store.lease(key, '/page')).toBe('unshared');
    expect(await server.redis.pTTL(leaseKey)).toBeLessThanOrEqual(60_000);
  });
});
