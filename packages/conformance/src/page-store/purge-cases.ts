import type { Purge } from '@ng-ssr/core';
import { describe, expect, test, vi } from 'vitest';
import { bodyOf, openStore, page, type PageStorePlace, POLL, readyStore } from './place.ts';

const MATCHING: readonly Purge[] = [
  { path: '/products/1' },
  { prefix: '/prod' },
  { tag: 'product-1' },
];
const OTHERS: readonly Purge[] = [
  { path: '/products' },
  { path: '/products/10' },
  { prefix: '/products/1/' },
  { prefix: 'products' },
  { tag: 'product' },
  { tag: '/products/1' },
];

export function definePurgeCases(place: () => PageStorePlace): void {
  describe('purges', () => {
    for (const purge of MATCHING) definePurgesBy(purge, place);

    test('no other pages are concerned', async () => {
      const { store } = await readyStore(place());
      await store.set('/', page('page'), store.version(), 60);
      await store.set('/names', { vary: ['accept'] }, store.version(), 60);
      for (const purge of OTHERS) {
        await store.purge(purge);
        await store.purge({ ...purge, hard: true });
      }
      expect(await store.get('/')).toMatchObject({ isPurged: false });
      await store.purge({ prefix: '/', hard: true });
      expect(await store.get('/')).toBeUndefined();
      // Names of headers are no content.
      expect(await store.get('/names')).toMatchObject({ isPurged: false });
    });

    test('names of any characters are purged', async () => {
      const [one, other] = [await readyStore(place()), await readyStore(place())];
      for (const tag of ['a:b', 'hard:tag:x', 'ü"\\\n', ' ', 'prefix']) {
        await one.store.set(tag, page(tag, { tags: [tag] }), one.store.version(), 60);
        await one.store.purge({ tag });
        expect(await other.store.get(tag), tag).toMatchObject({ isPurged: true });
        await vi.waitFor(() => expect(other.purges.at(-1)).toEqual({ tag }), POLL);
      }
    });

    test('purges of several processes at once reach all, once', async () => {
      const stores = await Promise.all([1, 2, 3].map(() => readyStore(place())));
      await Promise.all(
        stores.flatMap(({ store }, from) =>
          Array.from({ length: 50 }, (_, count) =>
            // On a busy machine a purge may take longer than it is waited for. It arrives nevertheless.
            store
              .purge({ tag: `${from}-${count}` })
              .catch((error) => expect(error).toMatchObject({ code: 'NG_SSR_STORE_UNAVAILABLE' })),
          ),
        ),
      );
      await vi.waitFor(() => {
        for (const [to, { purges }] of stores.entries()) {
          const tags = purges.map(({ tag }) => tag!);
          expect(new Set(tags).size).toBe(tags.length);
          expect(tags.filter((tag) => !tag.startsWith(`${to}-`))).toHaveLength(100);
        }
        expect(new Set(stores.map(({ store }) => store.version())).size).toBe(1);
      }, POLL);
    });

    test('a purge reaches the pages of all builds: two of them run during a deploy', async () => {
      const [old, next] = [
        await readyStore(place()),
        await readyStore(place(), { buildId: 'next' }),
      ];
      for (const { store } of [old, next]) {
        await store.set('/1', page('1', { path: '/1' }), store.version(), 60);
        await store.set('/2', page('2', { path: '/2' }), store.version(), 60);
      }
      await next.store.purge({ path: '/1' });
      await old.store.purge({ path: '/2', hard: true });
      await vi.waitFor(() => expect(old.purges).toContainEqual({ path: '/1' }), POLL);
      await vi.waitFor(() => expect(next.purges).toContainEqual({ path: '/2', hard: true }), POLL);
      // One that is filled now, and one that starts later.
      for (const { store } of [old, next, await readyStore(place(), { buildId: 'next' })]) {
        expect(await store.get('/1')).toMatchObject({ isPurged: true });
        expect(await store.get('/2')).toBeUndefined();
      }
    });

    test('a process that has just started knows of all purges before it judges a page', async () => {
      const one = await readyStore(place());
      const before = one.store.version();
      for (const key of ['soft', 'hard', 'kept']) {
        await one.store.set(key, page(key, { path: `/${key}`, tags: [key] }), before, 60);
      }
      await one.store.purge({ tag: 'soft' });
      await one.store.purge({ prefix: '/har', hard: true });
      const { store } = openStore(place());
      // Until it knows them it has nothing.
      await vi.waitFor(async () => expect(await bodyOf(store, 'kept')).toBe('kept'), POLL);
      expect(await store.get('soft')).toMatchObject({ isPurged: true });
      expect(await store.get('hard')).toBeUndefined();
      expect(await store.get('kept')).toMatchObject({ isPurged: false });
    });
  });
}

function definePurgesBy(purge: Purge, place: () => PageStorePlace): void {
  const [[kind, name]] = Object.entries(purge) as [[string, string]];

  test(`by ${kind}: pages are stale in every process, those rendered later are not`, async () => {
    const [one, other] = [await readyStore(place()), await readyStore(place())];
    const before = one.store.version();
    await one.store.set('/', page('old'), before, 60);
    await one.store.purge(purge);
    expect(await one.store.get('/')).toMatchObject({ isPurged: true });
    expect(await other.store.get('/')).toMatchObject({ isPurged: true });
    expect(one.store.version()).toBeGreaterThan(before);
    await other.store.set('/', page('new'), other.store.version(), 60);
    expect(await one.store.get('/')).toMatchObject({ isPurged: false });
    expect(await bodyOf(one.store, '/')).toBe('new');
    // A render that began before the purge does not count as new.
    await one.store.set('/late', page('late'), before, 60);
    expect(await other.store.get('/late')).toMatchObject({ isPurged: true });
    await vi.waitFor(() => expect(other.purges).toEqual([{ [kind]: name }]), POLL);
    // As in the case of invalidations.
    expect([[], other.purges]).toContainEqual(one.purges);
  });

  test(`by ${kind}, hard: pages are gone`, async () => {
    const [one, other] = [await readyStore(place()), await readyStore(place())];
    await one.store.set('/', page('old'), one.store.version(), 60);
    await one.store.purge({ ...purge, hard: true });
    // A soft purge after it does not bring them back.
    await one.store.purge(purge);
    expect(await one.store.get('/')).toBeUndefined();
    expect(await other.store.get('/')).toBeUndefined();
    await other.store.set('/', page('new'), other.store.version(), 60);
    expect(await one.store.get('/')).toMatchObject({ isPurged: false });
    // A store that catches up may report them in another order.
    const both = [{ [kind]: name, hard: true }, { [kind]: name }];
    await vi.waitFor(() => {
      expect(other.purges).toHaveLength(2);
      expect(other.purges).toEqual(expect.arrayContaining(both));
    }, POLL);
  });
}
