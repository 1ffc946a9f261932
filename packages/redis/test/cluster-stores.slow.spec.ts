import {
  defineStoredPagesSuite,
  type SharedStore,
} from '../../conformance/test/processes/stored-pages-suite.ts';
import { type Admin, RedisCluster } from './redis-cluster.ts';
import { isRedisServerMissing } from './redis-process.ts';

if (!isRedisServerMissing()) {
  defineStoredPagesSuite('memory in front of a Redis Cluster', startCluster);
}

async function startCluster(): Promise<SharedStore> {
  const cluster = await RedisCluster.start();
  const each = async <T>(pattern: string, look: (admin: Admin, key: string) => Promise<T>) => {
    const found: T[] = [];
    for (const { port } of await cluster.primaries()) {
      const admin = cluster.admin(port);
      for (const key of await admin.keys(pattern)) found.push(await look(admin, key));
    }
    return found;
  };
  return {
    // A busy machine is no outage.
    options: { redis: { cluster: cluster.nodes, timeoutMs: 2_000 } },
    async age(seconds) {
      await each('*:page:*', async (admin, key) => {
        await admin.pExpire(key, (await admin.pTTL(key)) - seconds * 1000);
      });
    },
    async heldLeases() {
      const holders = await each('*:lease:*', (admin, key) => admin.get(key));
      return holders.filter((holder) => holder !== null && holder !== 'unshared').length;
    },
    async pagesOf(path) {
      const values = await each('*:page:*', (admin, key) => admin.get(key));
      return values.filter((value) => value?.includes(`"path":"${path}"`)).length;
    },
    stop: () => cluster.stop(),
  };
}
