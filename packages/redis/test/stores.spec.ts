import {
  defineStoredPagesSuite,
  type SharedStore,
} from '../../conformance/test/processes/stored-pages-suite.ts';
import { isRedisServerMissing, RedisServer } from './redis-server.ts';

defineStoredPagesSuite('memory', undefined);
if (!isRedisServerMissing()) defineStoredPagesSuite('memory in front of Redis', startRedis);

async function startRedis(): Promise<SharedStore> {
  const server = await RedisServer.start();
  const { redis } = server;
  return {
    // A busy machine is no outage.
    options: { redis: { url: server.url, timeoutMs: 2_000 } },
    async age(seconds) {
      for (const key of await redis.keys('*:page:*')) {
        await redis.pExpire(key, (await redis.pTTL(key)) - seconds * 1000);
      }
    },
    async heldLeases() {
      const keys = await redis.keys('*:lease:*');
      const holders = await Promise.all(keys.map((key) => redis.get(key)));
      return holders.filter((holder) => holder !== null && holder !== 'unshared').length;
    },
    async pagesOf(path) {
      const keys = await redis.keys('*:page:*');
      const values = await Promise.all(keys.map((key) => redis.get(key)));
      return values.filter((value) => value?.includes(`"path":"${path}"`)).length;
    },
    stop: () => server.stop(),
  };
}
