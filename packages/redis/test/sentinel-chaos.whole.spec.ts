import { afterAll, beforeAll, describe, test } from 'vitest';
import { Chaos } from './chaos.ts';
import { type SentinelEvent, startChaosSentinels } from './chaos-sentinels.ts';
import { isRedisServerMissing } from './redis-process.ts';

const EVENTS: readonly SentinelEvent[] = ['loss', 'partition', 'failover'];

describe.skipIf(isRedisServerMissing())('pages with Sentinels', () => {
  let chaos: Chaos<SentinelEvent>;
  beforeAll(async () => void (chaos = await Chaos.start(await startChaosSentinels())));
  afterAll(() => chaos?.stop());

  test(
    'survive 200,000 requests while the primary comes and goes',
    { timeout: 3_600_000 },
    async () => {
      await chaos.run(
        200_000,
        Array.from({ length: 12 }, (_, at) => EVENTS[(at * 2) % 3]!),
      );
    },
  );
});
