import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeHeapSnapshot } from 'node:v8';
import { expect, onTestFinished, test } from 'vitest';
import { HeapSnapshot } from '../src/leaks/heap-snapshot.ts';
import { slopeOf } from '../src/leaks/slope.ts';

class Kept {
  readonly text = 'kept';
}

test('objects that are kept are found, with what keeps them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-leaks-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const snapshot = (name: string): HeapSnapshot =>
    new HeapSnapshot(writeHeapSnapshot(join(folder, `${name}.heapsnapshot`)));
  const registry = { keptForEver: new Map<number, Kept>() };
  (globalThis as { registryOfTest?: object }).registryOfTest = registry;
  onTestFinished(() => void delete (globalThis as { registryOfTest?: object }).registryOfTest);
  const add = (): unknown => registry.keptForEver.set(registry.keptForEver.size, new Kept());

  for (let i = 0; i < 10; i++) add();
  const earlier = snapshot('earlier');
  for (let i = 0; i < 5000; i++) add();
  const growth = snapshot('later').growthSince(earlier, 1000);
  const kept = growth.find(({ name }) => name === 'object Kept');
  expect(kept?.count).toBe(5000);
  expect(kept?.bytes).toBeGreaterThan(5000 * 16);
  expect(kept?.path).toMatch(/registryOfTest: Object > keptForEver: Map > table: .*Kept$/);
});

test('the slope is that of the line through the points, whatever they lie above', () => {
  const points = [1, 2, 3, 4].map((x) => ({ x, y: 7 + 3 * x }));
  expect(slopeOf(points)).toBeCloseTo(3);
  expect(slopeOf(points.slice(0, 1))).toBe(0);
});
