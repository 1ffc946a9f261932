import { expect, test } from 'vitest';
import { isRedisServerMissing } from '../../../packages/redis/test/redis-process.ts';
import { compare, COMPARED, formatCompared, largestDifference } from '../../simulate/compare.ts';

test.skipIf(isRedisServerMissing())(
  'a simulation has the hit ratios of four servers with a Redis, within five points',
  async () => {
    const small = { ...COMPARED, pages: 1500, tagPages: 300, memoryMib: 4 };
    const all = await compare(small, 6000);
    expect(largestDifference(all), formatCompared(all)).toBeLessThanOrEqual(5);
    // All three ways are taken, so that the shares say something.
    for (const { real } of all) {
      expect(Math.min(real.memory, real.store, real.render)).toBeGreaterThan(0.05);
    }
  },
);
