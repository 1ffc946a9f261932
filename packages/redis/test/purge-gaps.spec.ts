import { describe, expect, test } from 'vitest';
import { bodyOf, page, readyStore } from './open-store.ts';
import { isRedisServerMissing, useRedis } from './redis-server.ts';

const PURGES = 'ng-ssr:{purges}';

describe.skipIf(isRedisServerMissing())('purges that may have been missed', () => {
  const server = useRedis();

  test('are no misses where they are to be read again while they are read', async () => {
    const { store, purges, errors } = await readyStore(server);
    await store.set('/', page('kept'), store.version(), 60);
    const found: (string | undefined)[] = [];
    for (let count = 1; count <= 200; count++) {
      // A purge whose message was lost, so that they are read with the next page.
      const score = store.version() + 1;
      await server.redis
        .multi()
        .zAdd(PURGES, { score, value: `soft:path:/${count}` })
        .set(`${PURGES}:latest`, String(score))
        .exec();
      const asked = bodyOf(store, '/');
      for (let again = 0; again < 4; again++) await server.redis.publish('ng-ssr:purges:0', '');
      found.push(await asked);
    }
    expect(found.filter((body) => body !== 'kept')).toEqual([]);
    expect(purges).toHaveLength(200);
    expect(errors).toEqual([]);
  });
});
