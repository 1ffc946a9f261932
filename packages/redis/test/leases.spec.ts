import { describe, expect, test, type TestContext, vi } from 'vitest';
import type { HeldLease } from '@ng-ssr/core/store';
import { leaseKeyOf, type OpenStore, openStore } from './open-store.ts';
import { isRedisServerMissing, useRedis } from './redis-server.ts';

/** What PTTL says of a key that is not there. */
const GONE = -2;
const POLL = { timeout: 30_000, interval: 10 };

// They wait for leases to run out most of the time, each for one of its own.
describe.skipIf(isRedisServerMissing()).concurrent('a lease', () => {
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
    return { key, leaseKey: leaseKeyOf(key), one, other };
  }

  /** Until a lease runs out later than it would have, unless it has run out. */
  async function isRenewed(leaseKey: string): Promise<boolean> {
    let least = Infinity;
    let left = await server.redis.pTTL(leaseKey);
    await vi.waitFor(async () => {
      least = Math.min(left, least);
      left = await server.redis.pTTL(leaseKey);
      expect(left === GONE || left > least).toBe(true);
    }, POLL);
    return left !== GONE;
  }

  /** Takes a lease that is renewed twice. A machine that stalls for longer than a lease ends it, but not twenty. */
  async function takeRenewed(
    { store }: OpenStore,
    key: string,
    leaseKey: string,
  ): Promise<Pick<HeldLease, 'release'>> {
    for (let attempt = 0; attempt < 20; attempt++) {
      const lease = await store.lease(key, '/page');
      if (typeof lease !== 'object') throw new TypeError(`the lease is ${lease}`);
      if ((await isRenewed(leaseKey)) && (await isRenewed(leaseKey))) return lease;
      await lease.release();
    }
    throw new Error('no lease was renewed');
  }

  test('is renewed while its holder lives, and ends with its release', async (context) => {
    const { key, leaseKey, one, other } = await setUp(context);
    const lease = await takeRenewed(one, key, leaseKey);
    expect(await other.store.lease(key, '/page')).toBe('taken');
    await lease.release();
    expect(await other.store.lease(key, '/page')).toHaveProperty('release');
  });

  test('runs out soon when its holder is gone', async (context) => {
    const { key, leaseKey, one, other } = await setUp(context);
    await takeRenewed(one, key, leaseKey);
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
    await takeRenewed(one, key, leaseKey);
    for (let renewed = 0; renewed < 2;) {
      if ((await server.redis.persist(leaseKey)) === 0) await takeRenewed(one, key, leaseKey);
      else {
        expect(await other.store.lease(key, '/page')).toBe('taken');
        if (await isRenewed(leaseKey)) renewed++;
      }
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
    while (!(await isRenewed(leaseKey))) await takeRenewed(other, key, leaseKey);
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
