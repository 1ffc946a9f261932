import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { stress } from '@ng-ssr/conformance/fuzz';
import { plainExchange } from '../plain-exchange.ts';
import { heldBytes } from '../render/held-bytes.ts';
import { advance, until, useClock } from './clock.ts';
import { html, numbered, type Seen, storedServer, type StoredServer } from './stored-server.ts';

useClock();

const SHARED = { 'cache-control': 's-maxage=60' };
const MIB = 1024 * 1024;
/** What stored pages may take on the heap for each byte that is counted for them. */
const OVERHEAD = 3;
/** What a process may need beside stored pages: code, and tables that grow ahead. */
const SLACK_BYTES = 8 * MIB;

/** Asks for this many targets, some at a time, and looks at the bound on the way. */
async function flood(
  server: StoredServer,
  count: number,
  target: (i: number) => string,
  headers: (i: number) => Readonly<Record<string, string>> = () => ({}),
): Promise<void> {
  const before = await heldBytes(1);
  for (let i = 0; i < count; i += 100) {
    await Promise.all(
      Array.from({ length: Math.min(100, count - i) }, (_, at) =>
        server.get(target(i + at), headers(i + at)),
      ),
    );
    // The handler's own list of what was asked is not what is measured.
    server.requests.length = 0;
    server.contexts.length = 0;
    const { bytes, maxBytes } = server.handler.cache.inspect({ limit: 0 });
    expect(bytes).toBeLessThanOrEqual(maxBytes);
  }
  const { maxBytes } = server.handler.cache.inspect({ limit: 0 });
  expect((await heldBytes(1)) - before).toBeLessThan(OVERHEAD * maxBytes + SLACK_BYTES);
}

const URLS = stress(30_000);
/** As many in short runs: what each leaves must show beside the slack. */
const QUERIES = 400_000;
const VARIANTS = stress(10_000);
const PRIVATE_PAGES = stress(20_000);

it(`${URLS} URLs stay within the bound, and pages that are asked for in between stay`, async () => {
  const maxBytes = stress(4 * MIB);
  let hotRenders = 0;
  const server = storedServer(
    (request) => {
      if (request.url.endsWith('/hot')) hotRenders++;
      return html('page', SHARED);
    },
    { cache: { maxBytes }, files: { encodings: [] } },
  );
  await server.get('/hot');
  await flood(server, URLS, (i) => (i % 100 === 99 ? '/hot' : `/page/${i}`));
  expect(hotRenders).toBe(1);
  const { bytes, count, pages } = server.handler.cache.inspect({ limit: 100_000 });
  // Full, and not of one page.
  expect(bytes).toBeGreaterThan(maxBytes * 0.9);
  expect(count).toBeGreaterThan(stress(1000));
  expect(pages.reduce((sum, page) => sum + page.bytes, 0)).toBeLessThanOrEqual(bytes);
}, 30_000);

it(`${QUERIES} query strings that no page depends on are one page`, async () => {
  const server = storedServer(() => html('page', SHARED), {
    routeRules: { '/ruled': { sMaxAge: 60 } },
  });
  const { handler } = server;
  await Promise.all([server.get('/ruled'), server.get('/p')]);
  const before = await heldBytes(1);
  const headers = {};
  let hits = 0;
  for (let i = 0; i < QUERIES / 2; i++) {
    const ruled = handler.answer(plainExchange(`/ruled?id=${i}`, headers));
    const campaign = handler.answer(plainExchange(`/p?utm_content=${i}`, headers));
    if (ruled?.status === 200 && campaign?.status === 200) hits += 2;
  }
  expect(hits).toBe(QUERIES);
  expect(server.requests).toHaveLength(2);
  expect(handler.cache.inspect().count).toBe(2);
  expect((await heldBytes(1)) - before).toBeLessThan(SLACK_BYTES);
}, 30_000);

it.each<
  [string, Readonly<Record<string, string>>, (i: number) => Readonly<Record<string, string>>]
>([
  ['variants', { ...SHARED, vary: 'cookie' }, (i) => ({ cookie: `user=${i}` })],
  ['hosts', SHARED, (i) => ({ host: `h${i}.example` })],
])(
  '%s stay within the bound',
  async (_name, headers, sent) => {
    const server = numbered(headers, {
      allowedHosts: ['localhost', '*.example'],
      cache: { maxBytes: stress(MIB) },
      files: { encodings: [] },
    });
    await flood(server, VARIANTS, () => '/p', sent);
    expect(server.handler.cache.inspect({ limit: 0 }).count).toBeGreaterThan(stress(100));
  },
  30_000,
);

it.each(['identity', 'gzip', 'br'])(
  'a small page in %s has its memory to itself',
  async (encoding) => {
    // Buffers of this size are parts of Node's pools.
    const server = storedServer(() => html('A page of less than 4 KiB. '.repeat(90), SHARED));
    const get = (): Promise<Seen> => server.get('/p', { 'accept-encoding': encoding });
    const isEncoded = async (): Promise<boolean> =>
      encoding === 'identity' || (await get()).header('content-encoding') === encoding;
    await get();
    await until(isEncoded);
    const { body, isHit } = await get();
    expect([isHit, body!.buffer.byteLength]).toEqual([true, body!.byteLength]);
  },
);

it('long query strings count', async () => {
  const server = numbered(SHARED, { cache: { maxBytes: MIB }, files: { encodings: [] } });
  await flood(server, 1000, (i) => `/p?${'x'.repeat(8000)}${i}`);
  expect(server.handler.cache.inspect({ limit: 0 }).count).toBeLessThan(MIB / 8000);
});

it('pages that are not stored take no room, and others keep theirs', async () => {
  const server = storedServer(
    (request) =>
      html('page', request.url.endsWith('/hot') ? SHARED : { 'cache-control': 'private' }),
    { cache: { maxBytes: MIB } },
  );
  await server.get('/hot');
  const { bytes } = server.handler.cache.inspect();
  await flood(server, PRIVATE_PAGES, (i) => `/private/${i}`);
  expect(server.handler.cache.inspect().bytes).toBe(bytes);
  expect((await server.get('/hot')).isHit).toBe(true);
}, 30_000);

it('a page larger than the bound is not stored, and evicts no other', async () => {
  const maxBytes = 20_000;
  const server = storedServer(
    (request) => html('x'.repeat(Number(new URL(request.url).searchParams.get('n'))), SHARED),
    { cache: { maxBytes }, files: { encodings: [] } },
  );
  await server.get('/p?n=100');
  for (const n of [maxBytes, maxBytes - 100, 10 * maxBytes]) {
    for (let i = 0; i < 2; i++) {
      const answer = await server.get(`/p?n=${n}`);
      expect([answer.status, answer.cache]).toEqual([200, 'fwd=uri-miss; detail=too-large']);
      expect(answer.text.length).toBeGreaterThan(n);
    }
  }
  expect((await server.get('/p?n=100')).isHit).toBe(true);
  expect((await server.get('/p?n=10000')).cache).toBe('fwd=uri-miss; stored');
});

it('a page that has grown larger than the bound replaces none', async () => {
  const server = storedServer(
    (_request, count) => html('x'.repeat(count === 1 ? 10 : 30_000), SHARED),
    { cache: { maxBytes: 20_000 } },
  );
  await server.get('/p');
  advance(61);
  expect((await server.get('/p')).cache).toBe('fwd=stale; detail=too-large');
  expect(server.handler.cache.inspect().count).toBe(0);
});

it('encodings count', async () => {
  const text = randomBytes(30_000).toString('base64');
  const maxBytes = 300_000;
  const server = storedServer(() => html(text, SHARED), { cache: { maxBytes } });
  const held = (): number =>
    server.handler.cache.inspect().pages.reduce((sum, page) => sum + page.bytes, 0);
  for (const target of ['/1', '/2', '/3', '/4', '/5', '/6']) {
    for (let i = 0; i < 3; i++) await server.get(target);
  }
  const isEncoded = (): boolean => {
    const { pages } = server.handler.cache.inspect();
    return pages.length > 0 && pages.every(({ encodings }) => encodings.length === 3);
  };
  await until(isEncoded);
  expect(held()).toBeLessThanOrEqual(server.handler.cache.inspect().bytes);
  expect(server.handler.cache.inspect().bytes).toBeLessThanOrEqual(maxBytes);
  // The last ones have stayed.
  expect(server.handler.cache.inspect().count).toBe(2);
});

it('a page whose encodings would exceed the bound has fewer encodings', async () => {
  const text = randomBytes(30_000).toString('base64');
  const maxBytes = 90_000;
  const server = storedServer(() => html(text, SHARED), { cache: { maxBytes } });
  for (let i = 0; i < 3; i++) await server.get('/p');
  for (let i = 0; i < 50; i++) await new Promise((resolve) => setTimeout(resolve, 2));
  const { bytes, pages } = server.handler.cache.inspect();
  expect(bytes).toBeLessThanOrEqual(maxBytes);
  for (const page of pages) expect(page.bytes).toBeLessThanOrEqual(maxBytes);
  const answer = await server.get('/p', { 'accept-encoding': 'br' });
  expect([answer.status, answer.isHit]).toEqual([200, true]);
});
