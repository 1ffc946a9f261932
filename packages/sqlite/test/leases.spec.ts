import { readyStore } from '@ng-ssr/conformance/page-store';
import { expect, onTestFinished, test, vi } from 'vitest';
import { StoreFile } from './store-file.ts';

test('a process that comes back late does not extend the lease that another one holds by now', async () => {
  const file = new StoreFile();
  onTestFinished(() => file.close());
  const [one, other] = [await readyStore(file), await readyStore(file)];
  const timers = vi.spyOn(globalThis, 'setInterval');
  onTestFinished(() => void vi.restoreAllMocks());
  expect(await one.store.lease('/', '/page')).toHaveProperty('release');
  const giveSign = timers.mock.lastCall![0];

  // The process of the first one has stood still for longer than others wait for it.
  const now = Date.now();
  vi.spyOn(Date, 'now').mockReturnValue(now + 10_000);
  const taken = await other.store.lease('/', '/page');
  expect(taken).toHaveProperty('release');
  giveSign();
  // Behind the life sign, in its process.
  expect(await one.store.lease('/', '/page')).toBe('taken');
  if (typeof taken === 'object') await taken.release();
  expect(await one.store.lease('/', '/page')).toHaveProperty('release');
});
