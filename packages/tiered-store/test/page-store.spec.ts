import { definePageStoreSuite } from '@ng-ssr/conformance/page-store';
import { redisPageStore } from '@ng-ssr/redis';
import { afterAll, beforeAll, describe } from 'vitest';
import { isRedisServerMissing, useRedis } from '../../redis/test/redis-server.ts';
import { Place } from './place.ts';
import { S3Server } from './s3-server.ts';

describe('over SQLite', () => {
  let s3: S3Server;
  beforeAll(async () => void (s3 = await S3Server.start()));
  afterAll(() => s3.stop());

  definePageStoreSuite({
    name: 'folder and bucket',
    createPlace: async () => new Place(() => s3.bodies()),
  });
});

describe.skipIf(isRedisServerMissing())('over Redis', () => {
  const server = useRedis();

  definePageStoreSuite({
    name: 'a folder',
    createPlace: async () => {
      const options = { url: server.url, timeoutMs: 10_000 };
      const place = new Place(undefined, (limits) => redisPageStore({ ...options, ...limits }));
      return {
        createStore: (limits) => place.createStore(limits),
        close: async () => {
          await server.redis.flushAll();
          await place.close();
        },
      };
    },
  });
});
