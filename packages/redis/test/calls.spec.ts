import { redisPageStore } from '@ng-ssr/redis';
import { RESP_TYPES } from '@redis/client';
import {
  defineStoredCallsSuite,
  type StoreOfCalls,
} from '../../conformance/test/processes/stored-calls-suite.ts';
import { isRedisServerMissing, RedisServer } from './redis-server.ts';

if (!isRedisServerMissing()) defineStoredCallsSuite('Redis', startRedis);

async function startRedis(): Promise<StoreOfCalls> {
  const server = await RedisServer.start();
  const bytes = server.redis.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer });
  return {
    createStore: () => redisPageStore({ url: server.url, timeoutMs: 2_000 }),
    async values() {
      const values: string[] = [];
      for await (const names of server.redis.scanIterator({ COUNT: 1_000 })) {
        for (const name of names) {
          const isText = (await server.redis.type(name)) === 'string';
          const value = isText ? ((await bytes.get(name)) as Buffer | null) : undefined;
          values.push(`${name}\n${value?.toString('latin1')}`);
        }
      }
      return values;
    },
    stop: () => server.stop(),
  };
}
