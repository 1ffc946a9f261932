import { brotliDecompressSync, zstdDecompressSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { SsrError, type StoredPage, withSharedStore } from '@ng-ssr/core';
import type { PageTrait } from '../../../src/pages/traits/page-trait.ts';
import { prerendered, writeBuiltSite } from '../../built-site.ts';
import { advance, until, useClock } from '../clock.ts';
import { Shelf } from '../../features/shared-store/fake-page-store.ts';
import { html, type Page } from '../stored-server.ts';
import { traitServer } from './trait-server.ts';

useClock();

const STORED = { 'cache-control': 's-maxage=60, stale-while-revalidate=60' };

/** The example in the documentation of PageTrait. */
const greeting: PageTrait = {
  keep: () => ({ headers: () => ({ fresh: ['x-page', 'fresh'], stale: ['x-page', 'stale'] }) }),
  fillOf({ body }) {
    if (body === null || !Buffer.from(body).includes('{{name}}')) return undefined;
    return (answer, exchange) => {
      const name = /name=(\w+)/.exec(exchange.header('cookie') ?? '')?.[1] ?? 'visitor';
      const text = Buffer.from(answer.body!).toString().replaceAll('{{name}}', name);
      return { ...answer, body: Buffer.from(text) };
    };
  },
};

/** Pages below `/hello` greet, those below `/private` are not stored. */
const page: Page = (request, count) => {
  const { pathname } = new URL(request.url);
  const text = pathname.includes('/hello') ? `Hello {{name}}, ${count}` : `render ${count}`;
  return html(text, pathname.startsWith('/private') ? { 'cache-control': 'private' } : STORED);
};

it('a trait adds headers by moment, to a 304 too', async () => {
  const { get, pages } = traitServer(page, [greeting]);
  const fresh = await get('/p');
  expect([fresh.header('x-page'), fresh.cache]).toEqual(['fresh', 'fwd=uri-miss; stored']);
  const hit = await get('/p');
  expect([hit.header('x-page'), hit.isHit]).toEqual(['fresh', true]);
  const notModified = await get('/p', { 'if-none-match': hit.header('etag')! });
  expect([notModified.status, notModified.header('x-page')]).toEqual([304, 'fresh']);
  advance(61);
  expect((await get('/p')).header('x-page')).toBe('stale');
  await until(async () => (await get('/p')).header('x-page') === 'fresh');
  await pages.purge({ path: '/p' });
  expect((await get('/p')).header('x-page')).toBe('stale');
  expect((await get('/private')).header('x-page')).toBeUndefined();
});

it.each(['/hello', '/private/hello'])(
  'each client gets %s filled, and no cache',
  async (target) => {
    const { get } = traitServer(page, [greeting]);
    for (const name of ['ann', 'bob']) {
      const seen = await get(target, { cookie: `name=${name}`, range: 'bytes=0-3' });
      expect([seen.status, seen.text]).toEqual([200, expect.stringContaining(`Hello ${name}, `)]);
      expect(seen.header('cache-control')).toBe('private, no-store');
      expect(seen.header('content-length')).toBe(String(seen.body!.byteLength));
      expect([seen.header('etag'), seen.header('age')]).toEqual([undefined, undefined]);
    }
    const head = await get(target, { cookie: 'name=christine' }, 'HEAD');
    const whole = await get(target, { cookie: 'name=christine' });
    expect(head.body).toBeNull();
    expect(head.header('content-length')).toBe(whole.header('content-length'));
  },
);

it('a filled page is rendered once, and encoded for a client that waits for its render', async () => {
  const long: Page = (_request, count) => html(`Hello {{name}}, ${count} `.repeat(200), STORED);
  const { get } = traitServer(long, [greeting]);
  const encoded = await get('/p', { cookie: 'name=ann', 'accept-encoding': 'zstd' });
  expect(encoded.header('content-encoding')).toBe('zstd');
  expect(zstdDecompressSync(encoded.body!).toString()).toContain('Hello ann, 1 ');
  const hit = await get('/p', { cookie: 'name=bob', 'accept-encoding': 'zstd' });
  expect([hit.header('content-encoding'), hit.isHit]).toEqual([undefined, true]);
  expect(hit.text).toContain('Hello bob, 1 ');
});

it('built pages and error pages are filled, other files are as they are', async () => {
  const folder = writeBuiltSite({
    'browser/about/index.html': prerendered('About {{name}}'),
    'browser/404.html': 'Not here, {{name}}',
    'browser/plain.txt': 'for everybody',
  });
  const none: Page = () => null;
  const { get, index } = traitServer(none, [greeting], { files: { folder } });
  const headers = { cookie: 'name=ann', accept: 'text/html' };
  const about = await get('/about', headers);
  expect(about.text).toContain('About ann');
  expect(about.header('cache-control')).toBe('private, no-store');
  expect((await get('/404.html', headers)).text).toBe('Not here, ann');
  const plain = await get('/plain.txt', headers);
  expect([plain.text, plain.header('etag')]).toEqual(['for everybody', expect.any(String)]);
  expect(index.find('/plain.txt')?.fill).toBeUndefined();
});

it('a page may be kept out of the memory, or not be sent at all', async () => {
  const strict: PageTrait = {
    check({ response }, name) {
      if (response.headers.has('x-broken')) throw new SsrError('NG_SSR_RENDER_FAILED', name);
    },
    refuse: ({ response }) => (response.headers.has('x-draft') ? 'private' : undefined),
  };
  const { get } = traitServer(
    (request) => html('page', { ...STORED, [new URL(request.url).pathname.slice(1)]: '1' }),
    [strict],
  );
  expect((await get('/x-broken')).status).toBe(500);
  for (let i = 0; i < 2; i++) {
    expect((await get('/x-draft')).cache).toBe('fwd=uri-miss; detail=private');
  }
  await get('/x-other');
  expect((await get('/x-other')).isHit).toBe(true);
});

it('answers that are not stored pass all traits, after what they hold is encoded', async () => {
  const seen: string[] = [];
  const marked = (name: string): PageTrait => ({
    pass: (answer) => {
      seen.push(name);
      return { ...answer, headers: [...answer.headers, 'x-passed', name] };
    },
  });
  const { get } = traitServer(page, [marked('a'), marked('b')]);
  expect((await get('/private')).header('x-passed')).toBe('a, b');
  expect((await get('/p')).header('x-passed')).toBeUndefined();
  expect(seen).toEqual(['a', 'b']);
});

it('headers go through all traits, and Vary has the names of all', async () => {
  const inPlace: PageTrait = {
    keep: () => ({
      vary: 'X-First',
      headers: ({ headers, vary }) => ({
        headers: [...headers, 'x-seen', `${vary}`],
        always: ['x-always', '1'],
      }),
    }),
  };
  const after: PageTrait = {
    keep: (_kept, { query, isEncoded, isFilled }) => ({
      vary: 'X-Second',
      headers: ({ headers }) => ({
        always: ['x-how', [headers.includes('x-seen'), query, isEncoded, isFilled].join()],
      }),
    }),
  };
  const { get } = traitServer(page, [inPlace, after]);
  const seen = await get('/p?q=1');
  const vary = 'Accept-Encoding, X-First, X-Second';
  expect([seen.header('vary'), seen.header('x-seen')]).toEqual([vary, vary]);
  expect([seen.header('x-always'), seen.header('x-how')]).toEqual(['1', 'true,?q=1,true,false']);
});

it('a trait hears which pages are stored and dropped, and chooses a form', async () => {
  const log: unknown[] = [];
  let isHeld = (): boolean => false;
  const watching: PageTrait = {
    keep: ({ body }) => ({
      choose: (resource, _accepted, exchange) =>
        exchange.header('x-plain') === undefined ? undefined : resource.identity,
      stored: (key, isStill) => {
        isHeld = isStill;
        log.push(['stored', key.includes('/p'), Buffer.from(body).toString().match(/\d+/)?.[0]]);
      },
      dropped: (key, hasSuccessor) => log.push(['dropped', key.includes('/p'), hasSuccessor]),
    }),
  };
  const { get, pages } = traitServer(page, [watching]);
  await get('/p');
  expect((await get('/p', { 'accept-encoding': '*;q=0' })).status).toBe(406);
  const chosen = await get('/p', { 'accept-encoding': '*;q=0', 'x-plain': '1' });
  expect([chosen.status, chosen.isHit]).toEqual([200, true]);
  advance(61);
  await get('/p');
  await until(() => log.length === 3);
  expect(isHeld()).toBe(true);
  await pages.purge({ path: '/p', hard: true });
  expect(isHeld()).toBe(false);
  await get('/p');
  expect(log).toEqual([
    ['stored', true, '1'],
    ['dropped', true, true],
    ['stored', true, '2'],
    ['dropped', true, false],
    ['stored', true, '3'],
  ]);
});

it('what only one process knows leaves it for no store', async () => {
  const shelf = new Shelf();
  const own = (word: string): PageTrait => {
    const replaced = (from: string, to: string) => (stored: StoredPage) => ({
      ...stored,
      body: Buffer.from(Buffer.from(stored.body).toString().replaceAll(from, to)),
    });
    return { toStored: replaced(word, '{{own}}'), fromStored: replaced('{{own}}', word) };
  };
  const serverOf = (word: string, trait: PageTrait): ReturnType<typeof traitServer> =>
    traitServer(() => html(`the word is ${word}. `.repeat(200), STORED), [trait], {
      features: [withSharedStore(shelf.open(), { buildId: 'one' })],
    });
  await serverOf('first', own('first')).get('/p');
  await until(() => shelf.entries.size > 0);
  const [entry] = [...shelf.entries.values()].map((kept) => kept.entry);
  const { body, brotli } = entry as StoredPage;
  expect(Buffer.from(body).toString()).toContain('{{own}}.');
  expect(brotli).toBeUndefined();
  const second = serverOf('second', own('second'));
  const encoded = await second.get('/p', { 'accept-encoding': 'br' });
  expect(brotliDecompressSync(encoded.body!).toString()).toContain('is second.');
  expect((await second.get('/p')).text).toContain('is second.');
  const unable = await serverOf('third', { fromStored: () => undefined }).get('/p');
  expect([unable.text, unable.cache]).toEqual([
    expect.stringContaining('is third.'),
    'fwd=uri-miss; stored',
  ]);
});

it('Brotli bytes of a store are not used for a page that a trait changes', async () => {
  const shelf = new Shelf();
  const serverOf = (trait: PageTrait): ReturnType<typeof traitServer> =>
    traitServer(() => html('a word '.repeat(500), STORED), [trait], {
      features: [withSharedStore(shelf.open(), { buildId: 'one' })],
    });
  await serverOf({}).get('/p');
  await until(() => shelf.entries.size > 0);
  const { entry } = [...shelf.entries.values()][0]!;
  expect((entry as StoredPage).brotli).toBeDefined();
  const body = Buffer.from('another word '.repeat(300));
  const other = serverOf({ fromStored: (page) => ({ ...page, body }) });
  for (let count = 0; count < 3; count++) {
    const { body: sent, header } = await other.get('/p', { 'accept-encoding': 'br' });
    expect([header('content-encoding'), brotliDecompressSync(sent!).equals(body)]).toEqual([
      'br',
      true,
    ]);
  }
});

it('a hit waits for the encoding that a trait wants', async () => {
  const long: Page = () => html('a page that is worth its encoding '.repeat(100), STORED);
  for (const awaitsEncoding of [true, false]) {
    const { get } = traitServer(long, [{ keep: () => ({ awaitsEncoding }) }], {
      render: { encodings: ['br', 'gzip'] },
    });
    await get('/p');
    const hit = await get('/p', { 'accept-encoding': 'gzip' });
    expect([hit.isHit, hit.header('content-encoding')]).toEqual([
      true,
      awaitsEncoding ? 'gzip' : undefined,
    ]);
  }
});
