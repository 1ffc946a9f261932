import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { expect, it } from 'vitest';
import { type SsrOptions, type StoredPage, withNonce, withSharedStore } from '@ng-ssr/core';
import { until } from '../../pages/clock.ts';
import { html, type Page, storedServer, type StoredServer } from '../../pages/stored-server.ts';
import { Shelf } from './fake-page-store.ts';

const SHARED = { 'cache-control': 's-maxage=60, stale-while-revalidate=600' };
const ALL = { 'accept-encoding': 'gzip, deflate, br, zstd' };
const LONG = 'text of a page '.repeat(300);
const long: Page = () => html(LONG, SHARED);

function serverOf(shelf: Shelf, page: Page, options: Partial<SsrOptions> = {}): StoredServer {
  const features = [withSharedStore(shelf.open()), ...(options.features ?? [])];
  return storedServer(page, { ...options, features });
}

/** The page that the store has, once it has it. */
async function pageIn(shelf: Shelf): Promise<StoredPage> {
  await until(() => shelf.entries.size > 0 && shelf.leases.size === 0);
  return [...shelf.entries.values()][0]!.entry as StoredPage;
}

/** Puts a changed page in place of the one that the store has. */
function change(shelf: Shelf, changes: Partial<StoredPage>): void {
  const [[key, kept]] = [...shelf.entries] as [
    [string, { entry: StoredPage; version: number; untilMs: number }],
  ];
  shelf.entries.set(key, { ...kept, entry: { ...kept.entry, ...changes } });
}

it('the store gets a page with its Brotli bytes, and other processes send these', async () => {
  const shelf = new Shelf();
  const [a, b] = [serverOf(shelf, long), serverOf(shelf, long)];
  await a.get('/p');
  const { body, brotli } = await pageIn(shelf);
  expect(brotliDecompressSync(brotli!).equals(body)).toBe(true);
  expect(brotli!.byteLength).toBeLessThan(body.byteLength / 4);
  // Other bytes of the same content, which no process would make.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 1 };
  const other = brotliCompressSync(body, { params });
  change(shelf, { brotli: other });
  for (let count = 0; count < 5; count++) {
    const found = await b.get('/p', ALL);
    expect([found.isHit, found.header('content-encoding')]).toEqual([true, 'br']);
    expect(other.equals(found.body!)).toBe(true);
  }
  expect(Buffer.from(body).equals((await b.get('/p')).body!)).toBe(true);
  expect(b.requests).toHaveLength(0);
});

it('the process that renders sends the bytes that it has stored', async () => {
  const shelf = new Shelf();
  const a = serverOf(shelf, long);
  await a.get('/p');
  const { brotli } = await pageIn(shelf);
  const hit = await a.get('/p', ALL);
  expect([hit.header('content-encoding'), Buffer.from(hit.body!)]).toEqual([
    'br',
    Buffer.from(brotli!),
  ]);
});

it.each<[string, Page, Partial<SsrOptions>]>([
  ['is short', () => html('short', SHARED), {}],
  [
    'has a nonce',
    (_request, _count, _context, setup) =>
      html(`<script nonce="${setup!.nonce!.secret}"></script>${'a'.repeat(9_000)}`, SHARED),
    {
      features: [
        withNonce({ placeholder: 'PLACEHOLDER', policy: "script-src 'nonce-PLACEHOLDER'" }),
      ],
    },
  ],
  ['is sent in other encodings alone', long, { cache: { encodings: ['gzip'] } }],
  ['is sent without an encoding', long, { cache: { encodings: [] } }],
  [
    'may not be transformed',
    () => html('a'.repeat(9_000), { ...SHARED, 'cache-control': 's-maxage=60, no-transform' }),
    {},
  ],
])('a page that %s is stored without Brotli bytes', async (_which, page, options) => {
  const shelf = new Shelf();
  await serverOf(shelf, page, options).get('/p');
  expect((await pageIn(shelf)).brotli).toBeUndefined();
});

it('Brotli bytes are not used by a server that sends no Brotli', async () => {
  const shelf = new Shelf();
  await serverOf(shelf, long).get('/p');
  await pageIn(shelf);
  const b = serverOf(shelf, long, { cache: { encodings: ['gzip'] } });
  for (let count = 0; count < 3; count++) {
    expect((await b.get('/p', ALL)).header('content-encoding')).not.toBe('br');
  }
  expect((await b.get('/p', { 'accept-encoding': 'br' })).header('content-encoding')).toBe(
    undefined,
  );
  expect(b.requests).toHaveLength(0);
});

it('a page with nonces whose Brotli bytes are there is none', async () => {
  const shelf = new Shelf();
  await serverOf(shelf, long).get('/p');
  await pageIn(shelf);
  change(shelf, { nonceAt: [0] });
  const b = serverOf(shelf, long);
  expect((await b.get('/p')).cache).toContain('stored');
  expect(b.requests).toHaveLength(1);
});

it('a page that another process has rendered again keeps its encodings, if its content is the same', async () => {
  const shelf = new Shelf();
  const [a, b] = [serverOf(shelf, long), serverOf(shelf, long)];
  await a.get('/p');
  await pageIn(shelf);
  const encodings = (): readonly string[] => b.handler.cache.inspect().pages[0]!.encodings;
  for (let count = 0; count < 3; count++) await b.get('/p', { 'accept-encoding': 'gzip' });
  await until(() => encodings().includes('gzip'));
  await a.handler.cache.purge({ path: '/p' });
  const { dateMs } = await pageIn(shelf);
  await a.get('/p');
  await until(() => ([...shelf.entries.values()][0]!.entry as StoredPage).dateMs > dateMs);
  await b.get('/p');
  await until(() => b.handler.cache.inspect().pages[0]!.state === 'fresh');
  expect(encodings()).toEqual(expect.arrayContaining(['br', 'gzip']));
  expect(b.requests).toHaveLength(0);
});

it('a process makes other encodings of a page once a client lacks them', async () => {
  const shelf = new Shelf();
  const servers = [serverOf(shelf, long), serverOf(shelf, long)];
  await servers[0]!.get('/p');
  await pageIn(shelf);
  for (const { get, handler } of servers) {
    const encodings = (): readonly string[] => handler.cache.inspect().pages[0]!.encodings;
    for (let count = 0; count < 5; count++) await get('/p', ALL);
    expect(encodings()).toEqual(['br']);
    for (let count = 0; count < 5; count++) await get('/p', { 'accept-encoding': 'identity' });
    expect(encodings()).toEqual(['br']);
    await get('/p', { 'accept-encoding': 'gzip' });
    await until(() => encodings().length === 3);
    expect((await get('/p', { 'accept-encoding': 'gzip' })).header('content-encoding')).toBe(
      'gzip',
    );
  }
});

it('nothing is encoded for a store that does not take it: clients cause any number of such pages', async () => {
  const shelf = new Shelf();
  const encodings = (): readonly string[] =>
    a.handler.cache.inspect().pages.flatMap((each) => each.encodings);
  const a = serverOf(shelf, ({ url }) => html(`${url} ${LONG}`, SHARED, 404));
  for (let count = 0; count < 5; count++) await a.get(`/${count}`);
  await a.handler.close();
  expect(a.handler.cache.inspect().count).toBe(5);
  expect(encodings()).toEqual([]);
});

it('nothing is encoded for a store that is away', async () => {
  const shelf = new Shelf();
  const set = (): Promise<void> => Promise.reject(new Error('away'));
  const a = storedServer(long, { features: [withSharedStore({ ...shelf.open(), set })] });
  for (let count = 0; count < 3; count++) {
    await a.get(`/${count}`);
    await until(() => shelf.leases.size === 0);
  }
  const encoded = a.handler.cache.inspect().pages.filter(({ encodings }) => encodings.length > 0);
  expect(encoded).toHaveLength(1);
});
