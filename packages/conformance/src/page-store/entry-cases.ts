import { brotliCompressSync } from 'node:zlib';
import type { StoredPage } from '@ng-ssr/core';
import { describe, expect, test, vi } from 'vitest';
import { bodyOf, page, type PageStorePlace, POLL, readyStore } from './place.ts';

export function defineEntryCases(place: () => PageStorePlace): void {
  describe('entries', () => {
    test('what one process has stored, another gets as it was', async () => {
      const [one, other] = [await readyStore(place()), await readyStore(place())];
      const entry = page('<h1>Grüße</h1>\0\n', {
        status: 404,
        headers: ['X-One', 'a, b', 'x-one', '', 'set-note', 'caf\xe9\t"quoted"'],
        tags: ['a b', 'ü', ''],
        dateMs: Date.now() - 1234,
        freshSeconds: 1.5,
        nonceAt: [0, 4, 4],
      });
      await one.store.set('/products/1', entry, one.store.version(), 60);
      const found = await other.store.get('/products/1');
      expect(found).toEqual({
        entry: { ...entry, body: expect.anything(), dateMs: expect.any(Number) },
        isPurged: false,
      });
      expect(await bodyOf(other.store, '/products/1')).toBe('<h1>Grüße</h1>\0\n');
      expect(await other.store.get('/products/2')).toBeUndefined();
      expect([...one.errors, ...other.errors]).toEqual([]);
    });

    test('the names of headers that complete a key are an entry too', async () => {
      const { store } = await readyStore(place());
      await store.set('/', { vary: ['accept-language', 'x-theme'] }, store.version(), 60);
      const entry = { vary: ['accept-language', 'x-theme'] };
      expect(await store.get('/')).toEqual({ entry, isPurged: false });
      await store.set('/', page('', { dateMs: Date.now() + 1000 }), store.version(), 60);
      expect(await bodyOf(store, '/')).toBe('');
    });

    test('a page without a body comes back', async () => {
      const { store } = await readyStore(place());
      for (const status of [204, 301]) {
        await store.set(`/${status}`, page('', { status }), store.version(), 60);
        expect(await bodyOf(store, `/${status}`)).toBe('');
      }
    });

    test('a body of any bytes and of the allowed length comes back, a longer one is not shared', async () => {
      const { store, errors } = await readyStore(place(), { maxEntryBytes: 300_000 });
      const body = Buffer.alloc(299_000, 'ab\xff\r\n\0', 'latin1');
      await store.set('fits', page('', { body }), store.version(), 60);
      const found = await store.get('fits');
      expect(found !== undefined && 'body' in found.entry && body.equals(found.entry.body)).toBe(
        true,
      );
      await store.set('long', page('', { body: Buffer.alloc(300_000) }), store.version(), 60);
      expect(await store.get('long')).toBeUndefined();
      const { store: strict } = await readyStore(place(), { maxEntryBytes: 200_000 });
      expect(await strict.get('fits')).toBeUndefined();
      expect(errors).toEqual([]);
    });

    test('a page that came with its Brotli bytes has its content, and no others', async () => {
      const [one, other] = [await readyStore(place()), await readyStore(place())];
      const body = Buffer.from('<h1>Grüße</h1>'.repeat(5_000));
      const brotli = brotliCompressSync(body);
      await one.store.set('/', page('', { body, brotli }), one.store.version(), 60);
      const { entry } = (await other.store.get('/')) as { readonly entry: StoredPage };
      expect(body.equals(entry.body)).toBe(true);
      // A store need not keep them.
      if (entry.brotli !== undefined) expect(brotli.equals(entry.brotli)).toBe(true);
      await one.store.set(
        '/',
        page('next', { dateMs: Date.now() + 1_000 }),
        one.store.version(),
        60,
      );
      expect(await bodyOf(other.store, '/')).toBe('next');
    });

    test('a page does not keep the memory of others', async () => {
      const { store } = await readyStore(place());
      await store.set('small', page('small'), store.version(), 60);
      await store.set('large', page('x'.repeat(200_000)), store.version(), 60);
      const found = await Promise.all(['small', 'large', 'small'].map((key) => store.get(key)));
      for (const { entry } of found.map((each) => each!)) {
        const { body } = entry as { body: Uint8Array };
        expect(body.buffer.byteLength).toBeLessThan(2 * body.byteLength + 2_000);
      }
    });

    test('a newer page is not overwritten by an older one, in whatever order they come', async () => {
      const [one, other] = [await readyStore(place()), await readyStore(place())];
      const before = one.store.version();
      const ago = (seconds: number): number => Date.now() - seconds * 1000;
      await one.store.set('/', page('newer', { dateMs: ago(10) }), before, 60);
      await other.store.set('/', page('older', { dateMs: ago(20) }), before, 600);
      expect(await bodyOf(one.store, '/')).toBe('newer');
      await one.store.purge({ tag: 'unrelated' });
      const after = one.store.version();
      await one.store.set('/', page('of a later purge', { dateMs: ago(50) }), after, 60);
      expect(await bodyOf(one.store, '/')).toBe('of a later purge');
      await other.store.set('/', page('of an earlier purge', { dateMs: ago(0) }), before, 60);
      expect(await bodyOf(one.store, '/')).toBe('of a later purge');
      await Promise.all(
        [25, 27, 21, 29, 23].map((seconds, index) => {
          const { store } = [one, other][index % 2]!;
          return store.set('/', page(`${seconds}`, { dateMs: ago(seconds) }), after, 60);
        }),
      );
      expect(await bodyOf(one.store, '/')).toBe('21');
    });

    test('of the pages of one path, a bounded number is kept', async () => {
      const { store, errors } = await readyStore(place(), { maxPagesPerPath: 10 });
      const site = 'https://shop.example\n/products';
      const build = await readyStore(place(), { buildId: 'other', maxPagesPerPath: 10 });
      await build.store.set(`${site}?q=0`, page('theirs'), build.store.version(), 60);
      await store.set(site, page('whole'), store.version(), 60);
      await store.set(`${site}/1?q=a`, page('other'), store.version(), 60);
      for (let count = 0; count < 100; count++) {
        const key = `${site}?q=${count}`;
        await store.set(key, { vary: ['x-user'] }, store.version(), 60);
        await store.set(`${key}\n\nx-user\n=${count}`, page(`${count}`), store.version(), 60);
      }
      const kept = await Promise.all(
        Array.from({ length: 100 }, (_, count) =>
          bodyOf(store, `${site}?q=${count}\n\nx-user\n=${count}`),
        ),
      );
      expect(kept.filter((body) => body !== undefined)).toEqual(['95', '96', '97', '98', '99']);
      expect(await bodyOf(store, site)).toBe('whole');
      expect(await bodyOf(build.store, `${site}?q=0`)).toBe('theirs');
      expect(await bodyOf(store, `${site}/1?q=a`)).toBe('other');
      expect(errors).toEqual([]);
    });

    test('an entry is gone when it is deleted, and when its time is over', async () => {
      const { store } = await readyStore(place());
      await store.set('/', page('one'), store.version(), 60);
      await store.delete('/');
      expect(await store.get('/')).toBeUndefined();
      await store.set('/', page('two'), store.version(), 0.05);
      await vi.waitFor(async () => expect(await store.get('/')).toBeUndefined(), POLL);
      for (const seconds of [0, -1, NaN]) {
        await store.set('/', page('no'), store.version(), seconds);
      }
      expect(await store.get('/')).toBeUndefined();
      await store.set('/ever', page('ever'), store.version(), Infinity);
      expect(await bodyOf(store, '/ever')).toBe('ever');
    });

    test('long keys are told apart', async () => {
      const { store } = await readyStore(place());
      const long = `/search?q=${'ü'.repeat(5_000)}`;
      await store.set(long, page('long'), store.version(), 60);
      await store.set(`${long}x`, page('longer'), store.version(), 60);
      expect(await bodyOf(store, long)).toBe('long');
      expect(await bodyOf(store, `${long}x`)).toBe('longer');
    });

    test('pages of another build are not found', async () => {
      const { store } = await readyStore(place());
      const build = await readyStore(place(), { buildId: 'other' });
      await store.set('/', page('mine'), store.version(), 60);
      expect(await build.store.get('/')).toBeUndefined();
      await build.store.set('/', page('theirs'), build.store.version(), 60);
      expect(await bodyOf(store, '/')).toBe('mine');
    });
  });
}
