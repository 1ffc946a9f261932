import type { OpenStore } from '@ng-ssr/conformance/page-store';
import type { PageStore } from '@ng-ssr/core';
import { redisPageStore, type RedisPageStoreOptions } from '@ng-ssr/redis';
import { expect, onTestFinished, type TestContext, vi } from 'vitest';
import { Keys } from '../src/keys.ts';
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
  const store = redisPageStore({ url: server.url, timeoutMs: 10_000, ...rest });
  return opened(store, buildId, onFinished);
}

/** Opens a store, which is closed at the end of the test. */
export function opened(
  store: PageStore,
  buildId = 'build',
  onFinished: TestContext['onTestFinished'] = onTestFinished,
): OpenStore {
  const result: OpenStore = { store, purges: [], errors: [] };
  store.open({
    buildId,
    onPurge: (purge) => result.purges.push(purge),
    onError: (error) => result.errors.push(error),
  });
  onFinished(() => store.close());
  return result;
}

/** Opens a store and waits until it has read what was purged before, and hears of new purges. */
export async function readyStore(
  server: UsedRedis,
  options: RedisPageStoreOptions & { buildId?: string } = {},
): Promise<OpenStore> {
  // By their ids: a count does not rise while the connection of an earlier test is ending.
  const before = new Set(await subscribers(server));
  const result = openStore(server, options);
  await vi.waitFor(async () => {
    expect(result.store.version()).toBeGreaterThan(0);
    const added = (await subscribers(server)).filter((id) => !before.has(id));
    expect(added).not.toEqual([]);
  });
  return result;
}

/** The ids of the connections that listen for purges. */
async function subscribers(server: UsedRedis): Promise<number[]> {
  const clients = await server.redis.clientList();
  return clients.filter((client) => client.sub > 0).map((client) => client.id);
}

/** Where Redis has a page of the build of these tests. */
export function pageKeyOf(key: string): string {
  return keys.page(key);
}

/** Where Redis has the lease of a key. */
export function leaseKeyOf(key: string): string {
  return keys.lease(key);
}

const keys = new Keys('ng-ssr', 'build', 0);

let prefixes = 0;

/** A prefix that no earlier test had: on a busy machine messages of its purges may come late. */
export function ownPrefix(): string {
  return `ng-ssr:${prefixes++}`;
}
