import { afterAll, beforeAll, describe, test } from 'vitest';
import { Chaos } from './chaos.ts';
import { type SentinelEvent, startChaosSentinels } from './chaos-sentinels.ts';
import { isRedisServerMissing } from './redis-process.ts';

describe.skipIf(isRedisServerMissing())('pages with Sentinels', () => {
  let chaos: Chaos<SentinelEvent>;
  beforeAll(async () => void (chaos = await Chaos.start(await startChaosSentinels())));
  afterAll(() => chaos?.stop());

  test('survive the loss of the primary, a partition and a failover', async () => {
    await chaos.run(12_000, ['loss', 'partition', 'failover']);
  });
});
