import type { OpenStore } from '@ng-ssr/conformance/page-store';
import { redisPageStore, type RedisPageStoreOptions } from '@ng-ssr/redis';
import { expect, onTestFinished, type TestContext, vi } from 'vitest';
import { digestOf } from '@ng-ssr/core/store';
import type { UsedRedis } from './redis-server.ts';

export { bodyOf, type OpenStore, page } from '@ng-ssr/conformance/page-store';

/**
 * Opens a store and does not wait for Redis. It is closed at the end of the test.
 *
 * @param onFinished - The test's own `onTestFinished`, where tests run concurrently.
 */
export function openStore(
  server: UsedRedis,
  options: RedisPageStoreOptions & { buildId?: string } = {},
  onFinished: TestContext['onTestFinished'] = onTestFinished,
): OpenStore {
  const { buildId = 'build', ...rest } = options;
  // A busy machine is no outage: tests of outages have a time of their own.
  const store = redisPageStore({ url: server.url, timeoutMs: 2_000, ...rest });
  const opened: OpenStore = { store, purges: [], errors: [] };
  store.open({
    buildId,
    onPurge: (purge) => opened.purges.push(purge),
    onError: (error) => opened.errors.push(error),
  });
  onFinished(() => store.close());
  return opened;
}

/** Opens a store and waits until it has read what was purged before, and hears of new purges. */
export async function readyStore(
  server: UsedRedis,
  options: RedisPageStoreOptions & { buildId?: string } = {},
): Promise<OpenStore> {
  const before = await subscribers(server);
  const opened = openStore(server, options);
  await vi.waitFor(async () => {
    expect(opened.store.version()).toBeGreaterThan(0);
    expect(await subscribers(server)).toBeGreaterThan(before);
  }, 10_000);
  return opened;
}

async function subscribers(server: UsedRedis): Promise<number> {
  const counts = await server.redis.pubSubNumSub(await server.redis.pubSubChannels());
  return Object.values(counts).reduce((sum, count) => sum + Number(count), 0);
}

/** Where Redis has a page of the build of these tests. */
export function pageKeyOf(key: string): string {
  return `ng-ssr:build:page:${digestOf(key)}`;
}
