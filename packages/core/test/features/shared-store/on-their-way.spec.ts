import { randomBytes } from 'node:crypto';
import { brotliDecompressSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { type PageStore, type SsrOptions, type StoredPage, withSharedStore } from '@ng-ssr/core';
import { until } from '../../pages/clock.ts';
import { html, type Page, storedServer, type StoredServer } from '../../pages/stored-server.ts';
import { Shelf } from './fake-page-store.ts';

const SHARED = { 'cache-control': 's-maxage=60, stale-while-revalidate=600' };
const LONG = 'text of a page '.repeat(300);
const long: Page = () => html(LONG, SHARED);

function serverOf(store: PageStore, page: Page, options: Partial<SsrOptions> = {}): StoredServer {
  return storedServer(page, { ...options, features: [withSharedStore(store)] });
}

it('a page that is being encoded when its server closes reaches the store before that is closed', async () => {
  const shelf = new Shelf();
  const store = shelf.open();
  let isClosed = false;
  const lateSets: boolean[] = [];
  const server = serverOf(
    {
      ...store,
      set: (...entry) => {
        lateSets.push(isClosed);
        return store.set(...entry);
      },
      close: () => {
        isClosed = true;
        return store.close();
      },
    },
    long,
  );
  await server.get('/p');
  await server.handler.close();
  expect(lateSets).toEqual([false]);
  expect([shelf.entries.size, shelf.leases.size]).toEqual([1, 0]);
});

it('a page whose next render must not be stored leaves the store, also while it is on its way there', async () => {
  const shelf = new Shelf();
  // Without a lease no render waits for the earlier one.
  const store: PageStore = { ...shelf.open(), lease: () => Promise.resolve(undefined) };
  // Its encoding takes longer than the next render.
  const noise = randomBytes(3_000_000).toString('base64');
  const server = serverOf(store, (_request, count) =>
    count === 1 ? html(noise, SHARED) : html('own', { 'cache-control': 'private' }),
  );
  await server.get('/p');
  await server.handler.cache.refresh({ path: '/p' });
  await server.handler.close();
  expect(shelf.entries.size).toBe(0);
});

it('a store that keeps pages as JSON, and knows their body alone, still has them', async () => {
  const shelf = new Shelf();
  const plain = (): PageStore => {
    const store = shelf.open();
    return {
      ...store,
      get: async (key) => {
        const found = await store.get(key);
        const page = found?.entry as StoredPage | undefined;
        if (page === undefined) return undefined;
        const entry = JSON.parse(JSON.stringify(page)) as StoredPage;
        return { isPurged: found!.isPurged, entry: { ...entry, body: page.body } };
      },
    };
  };
  const [a, b] = [serverOf(plain(), long), serverOf(plain(), long)];
  await a.get('/p');
  await until(() => shelf.entries.size > 0 && shelf.leases.size === 0);
  const found = await b.get('/p', { 'accept-encoding': 'br' });
  expect(b.requests).toHaveLength(0);
  expect(found.isHit).toBe(true);
  expect(brotliDecompressSync(found.body!).toString()).toContain(LONG);
});

it('a page that fits into memory without its Brotli bytes is kept there', async () => {
  const noise = randomBytes(30_000).toString('hex');
  const shelf = new Shelf();
  const page: Page = () => html(noise, SHARED);
  const a = serverOf(shelf.open(), page);
  await a.get('/p');
  await until(() => shelf.entries.size > 0 && shelf.leases.size === 0);
  const { body, brotli } = [...shelf.entries.values()][0]!.entry as StoredPage;
  const maxBytes = body.byteLength + 4_000;
  expect(brotli!.byteLength).toBeGreaterThan(4_000);
  const b = serverOf(shelf.open(), page, { cache: { maxBytes } });
  await b.get('/p');
  expect(b.handler.cache.inspect().count).toBe(1);
  const gets = shelf.calls['get'];
  expect((await b.get('/p')).isHit).toBe(true);
  expect(shelf.calls['get']).toBe(gets);
});

it('a client waits for the encoding of its page, not for those of all pages on their way to the store', async () => {
  const shelf = new Shelf();
  // Slow to encode, and rendered at once.
  const large = Buffer.from(randomBytes(150_000).toString('hex').repeat(4));
  const headers = { ...SHARED, 'content-type': 'text/html' };
  let isOpen: () => void;
  const opened = new Promise<void>((resolve) => (isOpen = resolve));
  const page: Page = async (_request, count) => {
    if (count === 14) isOpen();
    await opened;
    return new Response(large, { headers });
  };
  const a = serverOf(shelf.open(), page, { render: { concurrency: 100 } });
  const answers = await Promise.all(
    Array.from({ length: 14 }, (_, at) => a.get(`/${at}`, { 'accept-encoding': 'br' })),
  );
  const encoded = answers.filter((each) => each.header('content-encoding') === 'br');
  await a.handler.close();
  const stored = [...shelf.entries.values()].map(({ entry }) => entry as StoredPage);
  const withBrotli = stored.filter(({ brotli }) => brotli !== undefined);
  expect(encoded.length).toBeLessThan(withBrotli.length);
  // Nor do other processes wait for all of them.
  expect(stored).toHaveLength(14);
  expect(withBrotli.length).toBeLessThan(14);
});
