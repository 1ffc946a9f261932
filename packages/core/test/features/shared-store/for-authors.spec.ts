import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { HeldLease, Invalidations, MAX_PURGES, PurgeRecords } from '@ng-ssr/core/store';
import { page } from '@ng-ssr/conformance/page-store';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('a lease is renewed while it is held, and not after its release', async () => {
  const renew = vi.fn(async () => undefined);
  const lease = new HeldLease({ leaseMs: 60_000, renew, release: async () => undefined });
  vi.advanceTimersByTime(5_000);
  const renewals = renew.mock.calls.length;
  expect(renewals).toBeGreaterThan(2);
  await lease.release();
  vi.advanceTimersByTime(5_000);
  expect(renew).toHaveBeenCalledTimes(renewals);
});

it('invalidations of a path that come while one is in flight are sent as one, after it', async () => {
  const sent: string[] = [];
  let confirm = (): void => undefined;
  const invalidations = new Invalidations<string>((_path, purge) => {
    sent.push(purge);
    return new Promise((resolve) => (confirm = resolve));
  });
  const all = ['first', 'second', 'third'].map((purge) => invalidations.add('/p', purge));
  expect(sent).toEqual(['first']);
  confirm();
  await vi.waitFor(() => expect(sent).toEqual(['first', 'third']));
  confirm();
  await Promise.all(all);
});

it('a purge by prefix stays when the older half of all purges is replaced', () => {
  const records = new PurgeRecords();
  for (let version = 1; version < MAX_PURGES; version++)
    records.add(`soft:tag:${version}`, version);
  records.add('soft:prefix:/pro', MAX_PURGES);
  records.add('soft:tag:last', MAX_PURGES + 1);
  expect(records.size).toBeLessThan(MAX_PURGES);
  expect(records.stateOf(page('page'), MAX_PURGES - 1)).toBe('stale');
  expect(records.stateOf(page('page'), MAX_PURGES)).toBe('current');
});
