import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bundleFigures } from '../baseline/bundle-figures.ts';

/** Bytes of ng-ssr and its dependencies in a minified bundle, without a feature. Who needs more takes some away elsewhere. */
const MOST = { 'bundle of a node server': 366_800, 'bundle of a worker': 172_300 };

test('the bundles of users do not grow', async () => {
  const figures = await bundleFigures(join(import.meta.dirname, '../..'));
  for (const [bundle, most] of Object.entries(MOST)) {
    expect(figures[bundle], bundle).toBeLessThanOrEqual(most);
    // Less is a reason to lower the limit.
    expect(figures[bundle], bundle).toBeGreaterThan(most - 5000);
  }
});
