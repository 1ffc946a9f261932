import { expect, test } from 'vitest';
import { probeContract, PROBED_PAGE } from '@ng-ssr/dom';
import { pairOf } from './pair.ts';

test('what the probe does comes to the same in both DOMs', () => {
  const { expected, actual } = pairOf(PROBED_PAGE);
  const wanted = probeContract(expected);
  expect(probeContract(actual)).toBe(wanted);
  expect((actual as unknown as { unsupported?: string }).unsupported).toBeUndefined();
  // Nearly all of it works: nothing is the same by failing.
  expect(wanted.match(/^throws/gm)?.length ?? 0).toBeLessThan(3);
  expect(wanted).toContain('http://host.example:82/x');
});

test('the probe sees a node that lacks what inherited code reads', () => {
  const { actual } = pairOf(PROBED_PAGE);
  const wanted = probeContract(pairOf(PROBED_PAGE).expected);
  const link = actual.querySelector('a') as object;
  Object.defineProperty(link, '_getattr', { value: undefined });
  expect(probeContract(actual)).not.toBe(wanted);
});
