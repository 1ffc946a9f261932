import { describe, expect, test, vi } from 'vitest';
import { type PageStorePlace, POLL, readyStore } from './place.ts';

export function defineLeaseCases(place: () => PageStorePlace): void {
  describe('a lease', () => {
    test('one process at a time has the lease of a page', async () => {
      const [one, other] = [await readyStore(place()), await readyStore(place())];
      const lease = await one.store.lease('/', '/page');
      expect(lease).toHaveProperty('release');
      expect(await other.store.lease('/', '/page')).toBe('taken');
      expect(await one.store.lease('/', '/page')).toBe('taken');
      expect(await other.store.lease('/other', '/page')).toHaveProperty('release');
      if (typeof lease === 'object') await lease.release();
      expect(await other.store.lease('/', '/page')).toHaveProperty('release');
      // A second release ends no lease of another process.
      if (typeof lease === 'object') await lease.release();
      expect(await one.store.lease('/', '/page')).toBe('taken');
    });

    test('is free soon after its holder has ended', async () => {
      const [one, other] = [await readyStore(place()), await readyStore(place())];
      expect(await one.store.lease('/', '/page')).toHaveProperty('release');
      await one.store.close();
      expect(await other.store.lease('/', '/page')).toBe('taken');
      await vi.waitFor(
        async () => expect(await other.store.lease('/', '/page')).toHaveProperty('release'),
        POLL,
      );
    });

    test('is held for leaseMs at most, and its holder does nothing to that of another', async () => {
      const one = await readyStore(place(), { leaseMs: 300 });
      const other = await readyStore(place(), { leaseMs: 60_000 });
      const late = await one.store.lease('/', '/page');
      await vi.waitFor(
        async () => expect(await other.store.lease('/', '/page')).toHaveProperty('release'),
        POLL,
      );
      if (typeof late === 'object') await late.release(10_000);
      expect(await one.store.lease('/', '/page')).toBe('taken');
    });

    test('that ends with an answer for one client says so to all, for its time', async () => {
      const [one, other] = [await readyStore(place()), await readyStore(place())];
      const lease = await one.store.lease('/', '/page');
      if (typeof lease === 'object') await lease.release(300);
      expect(await other.store.lease('/', '/page')).toBe('unshared');
      expect(await one.store.lease('/', '/page')).toBe('unshared');
      expect(await one.store.lease('/other', '/page')).toHaveProperty('release');
      await vi.waitFor(
        async () => expect(await other.store.lease('/', '/page')).toHaveProperty('release'),
        POLL,
      );
    });
  });
}
