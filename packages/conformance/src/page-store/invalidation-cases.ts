import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { bodyOf, page, type PageStorePlace, POLL, readyStore } from './place.ts';

const PATH = '/products/1';

export function defineInvalidationCases(place: () => PageStorePlace): void {
  describe('invalidation', () => {
    test('a stored page is gone in every process, and later ones are not', async () => {
      const [one, other] = [await readyStore(place()), await readyStore(place())];
      const before = one.store.version();
      await one.store.set('/', page('old'), before, 60);
      await other.store.invalidate!(PATH);
      expect(await one.store.get('/')).toBeUndefined();
      expect(await other.store.get('/')).toBeUndefined();
      await vi.waitFor(() => expect(one.purges).toEqual([{ path: PATH, hard: true }]), POLL);
      // A store that catches up may report its own purge: a page is rendered once more, and nothing is lost.
      expect([[], one.purges]).toContainEqual(other.purges);
      await one.store.set('/late', page('late'), before, 60);
      expect(await one.store.get('/late')).toBeUndefined();
      await one.store.set('/', page('new'), one.store.version(), 60);
      expect(await bodyOf(other.store, '/')).toBe('new');
    });

    test('pages of other builds are gone, too', async () => {
      const [old, next] = [
        await readyStore(place()),
        await readyStore(place(), { buildId: 'next' }),
      ];
      await old.store.set('/1', page('1', { path: '/1' }), old.store.version(), 60);
      await next.store.invalidate!('/1');
      await vi.waitFor(() => expect(old.purges).toEqual([{ path: '/1', hard: true }]), POLL);
      expect(await old.store.get('/1')).toBeUndefined();
    });

    test('this process gets no earlier page from the call on', async () => {
      const { store } = await readyStore(place());
      await store.set('/', page('old'), store.version(), 60);
      const done = store.invalidate!(PATH);
      const found = store.get('/');
      expect(await found).toBeUndefined();
      await done;
    });

    test('a page that is rendered under a lease is an earlier one', async () => {
      const [one, other] = [await readyStore(place()), await readyStore(place())];
      const before = one.store.version();
      const lease = await one.store.lease('/', PATH);
      await other.store.invalidate!(PATH);
      await one.store.set('/', page('old'), before, 60);
      expect(await one.store.get('/')).toBeUndefined();
      expect(await other.store.get('/')).toBeUndefined();
      if (typeof lease === 'object') await lease.release();
    });

    test('so is one whose render takes longer than others wait for it', async () => {
      const [one, other] = [
        await readyStore(place(), { leaseMs: 1 }),
        await readyStore(place(), { leaseMs: 1 }),
      ];
      const before = one.store.version();
      await one.store.lease('/', PATH);
      await vi.waitFor(async () => {
        expect(await other.store.lease('/', PATH)).toHaveProperty('release');
      }, POLL);
      await wait(100);
      await other.store.invalidate!(PATH);
      await one.store.set('/', page('old'), before, 60);
      expect(await one.store.get('/')).toBeUndefined();
      await vi.waitFor(() => expect(one.purges).toEqual([{ path: PATH, hard: true }]), POLL);
    });

    test('a page that is too large to be shared is gone from the memory of its process', async () => {
      const [one, other] = [
        await readyStore(place(), { maxEntryBytes: 1_000 }),
        await readyStore(place()),
      ];
      await one.store.set('/', page('x'.repeat(2_000)), one.store.version(), 60);
      await other.store.invalidate!(PATH);
      await vi.waitFor(() => expect(one.purges).toEqual([{ path: PATH, hard: true }]), POLL);
    });

    test('paths without pages cause no purge', async () => {
      const [one, other] = [await readyStore(place()), await readyStore(place())];
      await one.store.set('/', page('kept'), one.store.version(), 60);
      const version = one.store.version();
      for (let round = 0; round < 4; round++) {
        await Promise.all(
          Array.from({ length: 500 }, (_, i) => one.store.invalidate!(`/api/${round}/${i}`)),
        );
      }
      expect(one.store.version()).toBe(version);
      expect(other.purges).toEqual([]);
      expect(await bodyOf(other.store, '/')).toBe('kept');
      expect([...one.errors, ...other.errors]).toEqual([]);
    });

    test('a storm on one path is a purge at a time, and the last of it counts', async () => {
      const [one, other] = [await readyStore(place()), await readyStore(place())];
      await one.store.set('/', page('old'), one.store.version(), 60);
      await Promise.all(Array.from({ length: 2_000 }, () => one.store.invalidate!(PATH)));
      await vi.waitFor(() => expect(other.purges.length).toBeGreaterThan(0), POLL);
      expect(other.purges.length).toBeLessThanOrEqual(2);
      expect(await other.store.get('/')).toBeUndefined();
    });
  });
}
