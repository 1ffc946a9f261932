import { definePageStoreSuite } from '@ng-ssr/conformance/page-store';
import { redisPageStore } from '@ng-ssr/redis';
import { describe } from 'vitest';
import { ownPrefix } from './open-store.ts';
import { isRedisServerMissing, useRedis } from './redis-server.ts';

describe.skipIf(isRedisServerMissing())('with a redis-server', () => {
  const server = useRedis();

  definePageStoreSuite({
    name: 'Redis',
    createPlace: async () => {
      // A busy machine is no outage.
      const options = { url: server.url, timeoutMs: 10_000, prefix: ownPrefix() };
      return {
        createStore: (limits) => redisPageStore({ ...options, ...limits }),
        close: async () => void (await server.redis.flushAll()),
      };
    },
  });
});
