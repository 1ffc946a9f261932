import { redisPageStore } from '@ng-ssr/redis';
import { describe, expect, onTestFinished, test } from 'vitest';
import { bodyOf, openStore, page } from './open-store.ts';
import { isRedisServerMissing, useRedis } from './redis-server.ts';

describe.skipIf(isRedisServerMissing())('a store that a program fills', () => {
  const server = useRedis();

  function open(url: string): ReturnType<typeof redisPageStore> {
    const store = redisPageStore({ url });
    store.open({ buildId: 'build', onPurge() {}, onError() {}, isFilling: true });
    onTestFinished(() => store.close());
    return store;
  }

  test('has the first page, which is rendered before it is connected', async () => {
    const store = open(server.url);
    expect(await store.get('/')).toBeUndefined();
    await store.set('/', page('first'), store.version(), 600);
    const other = openStore(server).store;
    await expect.poll(() => bodyOf(other, '/')).toBe('first');
  });

  test('does not wait for a Redis that is unreachable', async () => {
    const store = open('redis://127.0.0.1:1');
    const startMs = performance.now();
    expect(await store.get('/')).toBeUndefined();
    expect(performance.now() - startMs).toBeLessThan(9_000);
  });
});
