import { expect, vi } from 'vitest';
import type { ChaosContext, ChaosPlace } from './chaos.ts';
import { RedisCluster } from './redis-cluster.ts';

/** What happens to a cluster. */
export type ClusterEvent = 'failover' | 'loss' | 'partition' | 'resharding';

const PURGES = 'ng-ssr:{purges}';
const POLL = { timeout: 120_000, interval: 50 };

/** A cluster for {@link Chaos}. */
export async function startChaosCluster(): Promise<ChaosPlace<ClusterEvent>> {
  const cluster = await RedisCluster.start();
  return {
    options: { cluster: cluster.nodes },
    cause: (...event) => cause(cluster, ...event),
    untilWhole: () => cluster.untilWhole(),
    stop: () => cluster.stop(),
  };
}

/** @param isOfPurges - Whether it happens to the server that has the purges of the pages. */
async function cause(
  cluster: RedisCluster,
  event: ClusterEvent,
  isOfPurges: boolean,
  { random, settle, tell }: ChaosContext,
): Promise<void> {
  const all = await cluster.primaries();
  const primary = isOfPurges ? await cluster.primaryOf(PURGES) : all[random.below(all.length)]!;
  const replica = (await cluster.replicaOf(primary))!;
  const hasTakenOver = (): Promise<void> =>
    vi.waitFor(async () => {
      const own = (await cluster.list(replica.port)).find(({ id }) => id === replica.id);
      expect(own?.isPrimary).toBe(true);
    }, POLL);
  tell(`${event} of ${primary.port}`);
  if (event === 'failover') {
    await cluster.admin(replica.port).sendCommand(['CLUSTER', 'FAILOVER']);
    await hasTakenOver();
  } else if (event === 'loss') {
    await cluster.processAt(primary.port).kill();
    await hasTakenOver();
    await settle();
    await cluster.processAt(primary.port).restart();
  } else if (event === 'partition') {
    cluster.processAt(primary.port).pause();
    try {
      await hasTakenOver();
      await settle();
    } finally {
      cluster.processAt(primary.port).resume();
    }
  } else {
    const to = all.find(({ id }) => id !== primary.id)!;
    const from = ['--cluster-from', primary.id, '--cluster-to', to.id];
    const count = ['--cluster-slots', '400', '--cluster-yes'];
    await cluster.cli('reshard', cluster.nodes[0]!, ...from, ...count);
  }
}
