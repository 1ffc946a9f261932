import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { digestOf } from '../src/keys.ts';
import { readyStore } from './open-store.ts';
import { isRedisServerMissing, RedisServer } from './redis-server.ts';

const LEASE = `ng-ssr:build:lease:${digestOf('/')}`;
const POLL = { timeout: 10_000, interval: 10 };

describe.skipIf(isRedisServerMissing())('a lease', { timeout: 20_000 }, () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await RedisServer.start();
  });
  afterEach(() => server.redis.flushAll());
  afterAll(() => server?.stop());

  /** Until a lease runs out later than it would have. */
  async function untilRenewed(): Promise<void> {
    let least = await server.redis.pTTL(LEASE);
    await vi.waitFor(async () => {
      const left = await server.redis.pTTL(LEASE);
      const isRenewed = left > least;
      least = Math.min(left, least);
      expect(isRenewed).toBe(true);
    }, POLL);
  }

  test('is renewed while its holder lives, and ends with its release', async () => {
    const [one, other] = [await readyStore(server), await readyStore(server)];
    const lease = await one.store.lease('/', '/page');
    await untilRenewed();
    await untilRenewed();
    expect(await other.store.lease('/', '/page')).toBe('taken');
    if (typeof lease === 'object') await lease.release();
    expect(await other.store.lease('/', '/page')).toHaveProperty('release');
  });

  test('runs out soon when its holder is gone', async () => {
    const [one, other] = [await readyStore(server), await readyStore(server)];
    expect(await one.store.lease('/', '/page')).toHaveProperty('release');
    await untilRenewed();
    await one.store.close();
    expect(await other.store.lease('/', '/page')).toBe('taken');
    expect(await server.redis.pTTL(LEASE)).toBeLessThanOrEqual(2_000);
    await vi.waitFor(async () => {
      expect(await other.store.lease('/', '/page')).toHaveProperty('release');
    }, POLL);
  });

  test.each(['no end', 'an end in an hour'])('that has %s gets one', async (end) => {
    const [one, other] = [await readyStore(server), await readyStore(server)];
    const dead = await one.store.lease('/', '/page');
    expect(dead).toHaveProperty('release');
    await one.store.close();
    // PERSIST, and what a clock that was set back leaves.
    if (end === 'no end') await server.redis.persist(LEASE);
    else await server.redis.expire(LEASE, 3_600);
    expect(await other.store.lease('/', '/page')).toBe('taken');
    expect(await server.redis.pTTL(LEASE)).toBeLessThanOrEqual(2_000);
    await vi.waitFor(async () => {
      expect(await other.store.lease('/', '/page')).toHaveProperty('release');
    }, POLL);
  });

  test('that has lost its end stays with a holder who lives', async () => {
    const [one, other] = [await readyStore(server), await readyStore(server)];
    expect(await one.store.lease('/', '/page')).toHaveProperty('release');
    for (let again = 0; again < 2; again++) {
      await server.redis.persist(LEASE);
      expect(await other.store.lease('/', '/page')).toBe('taken');
      await untilRenewed();
    }
    expect(await other.store.lease('/', '/page')).toBe('taken');
  });

  test('of a key that is no lease is given when that is gone', async () => {
    const { store } = await readyStore(server);
    await server.redis.lPush(LEASE, 'a');
    expect(await store.lease('/', '/page')).toBe('taken');
    await vi.waitFor(
      async () => expect(await store.lease('/', '/page')).toHaveProperty('release'),
      POLL,
    );
  });

  test('is held for leaseMs at most, and its holder does nothing to that of another', async () => {
    const one = await readyStore(server, { leaseMs: 1_100 });
    const other = await readyStore(server, { leaseMs: 60_000 });
    const lease = await one.store.lease('/', '/page');
    await vi.waitFor(async () => {
      expect(await other.store.lease('/', '/page')).toHaveProperty('release');
    }, POLL);
    if (typeof lease === 'object') await lease.release();
    await untilRenewed();
    expect(await one.store.lease('/', '/page')).toBe('taken');
  });

  test('that ends with an answer for one reader says so to all, for its time', async () => {
    const [one, other] = [await readyStore(server), await readyStore(server)];
    const lease = await one.store.lease('/', '/page');
    if (typeof lease === 'object') await lease.release(300);
    expect(await other.store.lease('/', '/page')).toBe('unshared');
    expect(await one.store.lease('/', '/page')).toBe('unshared');
    expect(await one.store.lease('/other', '/page')).toHaveProperty('release');
    await vi.waitFor(async () => {
      expect(await other.store.lease('/', '/page')).toHaveProperty('release');
    }, POLL);
  });

  test('that is no longer held leaves no such word', async () => {
    const [one, other] = [await readyStore(server, { leaseMs: 50 }), await readyStore(server)];
    const late = await one.store.lease('/', '/page');
    await vi.waitFor(async () => {
      expect(await other.store.lease('/', '/page')).toHaveProperty('release');
    }, POLL);
    if (typeof late === 'object') await late.release(10_000);
    expect(await one.store.lease('/', '/page')).toBe('taken');
  });

  test('a word without an end, or with one that is far, gets one', async () => {
    const { store } = await readyStore(server);
    await server.redis.set(LEASE, 'unshared');
    expect(await store.lease('/', '/page')).toBe('unshared');
    expect(await server.redis.pTTL(LEASE)).toBeGreaterThan(0);
    await server.redis.pExpire(LEASE, 24 * 60 * 60 * 1000);
    expect(await store.lease('/', '/page')).toBe('unshared');
    expect(await server.redis.pTTL(LEASE)).toBeLessThanOrEqual(60_000);
  });
});
