import { afterAll, beforeAll, describe, test } from 'vitest';
import { Chaos } from './chaos.ts';
import { type ClusterEvent, startChaosCluster } from './chaos-cluster.ts';
import { isRedisServerMissing } from './redis-process.ts';

const EVENTS: readonly ClusterEvent[] = ['loss', 'resharding', 'partition', 'failover'];

describe.skipIf(isRedisServerMissing())('pages on a Redis Cluster', () => {
  let chaos: Chaos<ClusterEvent>;
  beforeAll(async () => void (chaos = await Chaos.start(await startChaosCluster())));
  afterAll(() => chaos?.stop());

  test('survive 200,000 requests while servers come and go', { timeout: 3_600_000 }, async () => {
    await chaos.run(
      200_000,
      Array.from({ length: 12 }, (_, at) => EVENTS[(at * 5) % 4]!),
    );
  });
});
