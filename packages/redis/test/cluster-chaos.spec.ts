import { afterAll, beforeAll, describe, test } from 'vitest';
import { Chaos } from './chaos.ts';
import { isRedisServerMissing } from './redis-process.ts';

describe.skipIf(isRedisServerMissing())('pages on a Redis Cluster', () => {
  let chaos: Chaos;
  beforeAll(async () => void (chaos = await Chaos.start()));
  afterAll(() => chaos?.stop());

  test('survive a failover of the server that has the purges', async () => {
    await chaos.run(2_000, ['failover']);
  });
});
