import { afterAll, beforeAll, describe, test } from 'vitest';
import { Chaos } from './chaos.ts';
import { type ClusterEvent, startChaosCluster } from './chaos-cluster.ts';
import { isRedisServerMissing } from './redis-process.ts';

describe.skipIf(isRedisServerMissing())('pages on a Redis Cluster', () => {
  let chaos: Chaos<ClusterEvent>;
  beforeAll(async () => void (chaos = await Chaos.start(await startChaosCluster())));
  afterAll(() => chaos?.stop());

  test('survive the loss of servers, resharding and a partition', async () => {
    await chaos.run(12_000, ['loss', 'resharding', 'partition', 'failover']);
  });
});
