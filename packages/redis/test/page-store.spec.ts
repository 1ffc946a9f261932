import { definePageStoreSuite } from '@ng-ssr/conformance/page-store';
import { redisPageStore } from '@ng-ssr/redis';
import { describe } from 'vitest';
import { isRedisServerMissing, useRedis } from './redis-server.ts';

describe.skipIf(isRedisServerMissing())('with a redis-server', () => {
  const server = useRedis();

  definePageStoreSuite({
    name: 'Redis',
    createPlace: async () => ({
      // A busy machine is no outage.
      createStore: (limits) => redisPageStore({ url: server.url, timeoutMs: 2_000, ...limits }),
      close: async () => {
        await server.redis.flushAll();
      },
    }),
  });
});
