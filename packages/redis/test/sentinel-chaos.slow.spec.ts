import { describe, onTestFinished, test } from 'vitest';
import { Chaos } from './chaos.ts';
import { type SentinelEvent, startChaosSentinels } from './chaos-sentinels.ts';
import { isRedisServerMissing, type Settings } from './redis-process.ts';

/** As the README says. */
const SAFE = ['min-replicas-to-write 1', 'min-replicas-max-lag 2'];

describe.skipIf(isRedisServerMissing())('pages with Sentinels', () => {
  test.each<[string, Settings, readonly SentinelEvent[]]>([
    ['the loss of the primary, a partition and a failover', [], ['loss', 'partition', 'failover']],
    ['a primary that only clients reach', SAFE, ['isolation', 'failover']],
  ])('survive %s', async (_name, settings, events) => {
    const chaos = await Chaos.start(await startChaosSentinels(settings));
    onTestFinished(() => chaos.stop());
    await chaos.run(12_000, events);
  });
});
