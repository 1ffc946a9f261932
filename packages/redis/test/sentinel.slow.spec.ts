import { definePageStoreSuite } from '@ng-ssr/conformance/page-store';
import { redisPageStore } from '@ng-ssr/redis';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { bodyOf, type OpenStore, opened, ownPrefix, page } from './open-store.ts';
import { isRedisServerMissing } from './redis-process.ts';
import { RedisSentinels } from './redis-sentinels.ts';

const POLL = { timeout: 60_000, interval: 20 };
const unavailable = expect.objectContaining({ code: 'NG_SSR_STORE_UNAVAILABLE' });

describe.skipIf(isRedisServerMissing())('with Sentinels', () => {
  let sentinels: RedisSentinels;
  beforeAll(async () => void (sentinels = await RedisSentinels.start()));
  afterAll(() => sentinels?.stop());

  async function open(timeoutMs = 10_000): Promise<OpenStore> {
    const { name, nodes, client } = sentinels;
    const store = redisPageStore({ sentinel: { name, nodes, client }, timeoutMs });
    const result = opened(store);
    await vi.waitFor(() => expect(store.version()).toBeGreaterThan(0), POLL);
    return result;
  }

  definePageStoreSuite({
    name: 'Redis with Sentinels',
    createPlace: async () => {
      const { name, nodes, client } = sentinels;
      const sentinel = { name, nodes, client };
      const options = { sentinel, timeoutMs: 10_000, prefix: ownPrefix() };
      return {
        createStore: (limits) => redisPageStore({ ...options, ...limits }),
        close: () => sentinels.flush(),
      };
    },
  });

  describe('the primary is lost', () => {
    let lost: number;
    afterEach(async () => {
      const process = sentinels.processAt(lost);
      process.resume();
      if (isKilled) await process.restart();
      isKilled = false;
      await sentinels.untilReplicated();
    });
    let isKilled = false;

    test.each(['killed', 'paused'])(
      '%s: purges survive, and pages are shared again',
      async (how) => {
        const [one, other] = [await open(200), await open(200)];
        await one.store.set('/', page('old'), one.store.version(), 600);
        await vi.waitFor(() => one.store.purge({ tag: 'products', hard: true }), POLL);
        lost = await sentinels.primaryPort();
        isKilled = how === 'killed';
        if (isKilled) await sentinels.processAt(lost).kill();
        else sentinels.processAt(lost).pause();
        await expect(one.store.purge({ tag: 'in the middle' })).rejects.toEqual(unavailable);
        expect(await one.store.get('/')).toBeUndefined();
        await sentinels.untilReplaced(lost);
        await vi.waitFor(async () => {
          await one.store.set('/new', page('new'), one.store.version(), 600);
          expect(await bodyOf(other.store, '/new')).toBe('new');
        }, POLL);
        // One that knows of no purge from before.
        const started = await open();
        expect(await started.store.get('/')).toBeUndefined();
        await vi.waitFor(() => expect(other.purges).toContainEqual({ tag: 'in the middle' }), POLL);
        await vi.waitFor(() => one.store.purge({ tag: 'after' }), POLL);
        await vi.waitFor(() => expect(other.purges).toContainEqual({ tag: 'after' }), POLL);
      },
    );
  });

  test('a program that fills the store does not lose its first page', async () => {
    const { name, nodes, client } = sentinels;
    const other = await open();
    const filling = redisPageStore({ sentinel: { name, nodes, client } });
    filling.open({ buildId: 'build', onPurge() {}, onError() {}, isFilling: true });
    onTestFinished(() => filling.close());
    expect(await filling.get('/filled')).toBeUndefined();
    await filling.set('/filled', page('first'), filling.version(), 600);
    await expect.poll(() => bodyOf(other.store, '/filled')).toBe('first');
  });

  test('a name that the Sentinels do not know is reported', async () => {
    const { nodes, client } = sentinels;
    const store = redisPageStore({ sentinel: { name: 'other', nodes, client } });
    const errors: Error[] = [];
    store.open({ buildId: 'build', onPurge() {}, onError: (error) => errors.push(error) });
    onTestFinished(() => store.close());
    await vi.waitFor(() => expect(errors).toEqual([unavailable]), POLL);
    expect(errors[0]!.message).toContain('the primary "other" of the Sentinels at 127.0.0.1:');
    expect(String(errors[0]!.cause)).toContain('No such master');
  });
});
