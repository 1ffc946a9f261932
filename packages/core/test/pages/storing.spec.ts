import { expect, it } from 'vitest';
import { plainExchange } from '../plain-exchange.ts';
import { httpDate, useClock } from './clock.ts';
import { html, numbered, type Seen, storedServer } from './stored-server.ts';

useClock();

const SHARED = { 'cache-control': 's-maxage=60' };
const RULE = { '/**': { sMaxAge: 60 } };

/** Asks twice for a page with these headers; the second answer is a hit if the first was stored. */
async function twice(
  headers: Readonly<Record<string, string>>,
  status = 200,
  options?: Parameters<typeof storedServer>[1],
): Promise<readonly [Seen, Seen]> {
  const hasNoBody = [204, 205, 304].includes(status);
  const server = storedServer(
    () => (hasNoBody ? new Response(null, { status, headers }) : html('page', headers, status)),
    options,
  );
  const first = await server.get('/p');
  const second = await server.get('/p');
  expect(server.requests).toHaveLength(second.isHit ? 1 : 2);
  expect([second.status, second.text]).toEqual([first.status, first.text]);
  return [first, second];
}

it.each([200, 203, 204, 301, 302, 307, 308, 404, 410])(
  'RFC 9111 section 3: an explicitly fresh %i is stored',
  async (status) => {
    const [first, second] = await twice({ ...SHARED, location: '/q' }, status);
    expect(first.cache).toBe('fwd=uri-miss; stored');
    expect(second.cache).toBe('hit; ttl=60');
  },
);

it.each([205, 206, 300, 303, 304, 400, 401, 403, 405, 412, 414, 416, 418, 451])(
  'RFC 9111 section 3: a %i is not stored',
  async (status) => {
    const [first, second] = await twice({ ...SHARED, location: '/q' }, status);
    expect(first.cache).toBe('fwd=uri-miss; detail=status');
    expect(second.isHit).toBe(false);
  },
);

it.each([500, 501, 502, 503, 504])(
  'RFC 9111 section 3: a %i is not stored, under a rule neither',
  async (status) => {
    for (const options of [{}, { routeRules: RULE }]) {
      const [first, second] = await twice(SHARED, status, options);
      expect(first.cache).toBe('fwd=uri-miss; detail=status');
      expect(second.isHit).toBe(false);
    }
  },
);

const FORBIDDEN: readonly [string, Readonly<Record<string, string>>, string][] = [
  ['no-store', { 'cache-control': 's-maxage=60, no-store' }, 'no-store'],
  ['No-Store', { 'cache-control': 's-maxage=60, No-Store' }, 'no-store'],
  ['no-store with an argument', { 'cache-control': 's-maxage=60, no-store=1' }, 'no-store'],
  ['private', { 'cache-control': 'private, s-maxage=60' }, 'private'],
  ['private with headers', { 'cache-control': 's-maxage=60, private="set-cookie"' }, 'private'],
  ['private with two headers', { 'cache-control': 'private="a, b", s-maxage=60' }, 'private'],
  ['PRIVATE', { 'cache-control': 's-maxage=60,PRIVATE' }, 'private'],
  ['no-cache', { 'cache-control': 's-maxage=60, no-cache' }, 'no-cache'],
  ['no-cache with headers', { 'cache-control': 's-maxage=60, no-cache="x-y, z"' }, 'no-cache'],
  ['Set-Cookie', { ...SHARED, 'set-cookie': 'a=b' }, 'set-cookie'],
  ['an empty Set-Cookie', { ...SHARED, 'set-cookie': '' }, 'set-cookie'],
  ['Vary: *', { ...SHARED, vary: '*' }, 'vary-star'],
  ['Vary: * among others', { ...SHARED, vary: 'cookie , *' }, 'vary-star'],
  ['Content-Encoding', { ...SHARED, 'content-encoding': 'br' }, 'encoded'],
  ['Content-Range', { ...SHARED, 'content-range': 'bytes 0-1/9' }, 'range'],
];

it.each(FORBIDDEN)(
  'RFC 9111 section 3: %s forbids storing, and no rule allows it',
  async (_name, headers, reason) => {
    for (const options of [{}, { routeRules: RULE }]) {
      const [first, second] = await twice(headers, 200, options);
      expect(first.cache).toBe(`fwd=uri-miss; detail=${reason}`);
      expect(second.isHit).toBe(false);
    }
  },
);

it('RFC 9111 section 3: a prohibition after a quote that never ends still counts', async () => {
  for (const value of [
    's-maxage=60, ext="a, private',
    's-maxage=60, ext="a\\", private',
    's-maxage=60, a"b, private, c"d',
  ]) {
    const [first] = await twice({ 'cache-control': value });
    expect(first.cache, value).toBe('fwd=uri-miss; detail=private');
  }
});

it('RFC 9111 section 5.2: a directive inside a quoted argument is none', async () => {
  const [first] = await twice({ 'cache-control': 'ext="a, no-store, \\" private", s-maxage=60' });
  expect(first.cache).toBe('fwd=uri-miss; stored');
});

it.each([
  ['nothing', {}],
  ['public alone', { 'cache-control': 'public' }],
  ['immutable alone', { 'cache-control': 'immutable' }],
  ['Last-Modified alone', { 'last-modified': 'Fri, 20 Nov 2020 12:00:00 GMT' }],
  ['ETag alone', { etag: '"a"' }],
  ['must-revalidate alone', { 'cache-control': 'must-revalidate' }],
  ['max-age=0', { 'cache-control': 'max-age=0' }],
  ['s-maxage=0 before max-age', { 'cache-control': 's-maxage=0, max-age=60' }],
  ['a lifetime that is none', { 'cache-control': 'max-age=soon' }],
  ['Expires in the past', { expires: 'Fri, 20 Nov 2020 12:00:00 GMT' }],
  ['Expires: 0', { expires: '0' }],
])(
  'RFC 9111 section 3: without explicit freshness nothing is stored: %s',
  async (_name, headers) => {
    const [first, second] = await twice(headers);
    expect(first.cache).toBe('fwd=uri-miss; detail=no-freshness');
    expect(second.isHit).toBe(false);
  },
);

it.each([
  ['s-maxage', SHARED],
  ['max-age', { 'cache-control': 'max-age=60' }],
  ['Expires', { expires: 'Fri, 20 Nov 2026 12:01:00 GMT' }],
  ['stale-while-revalidate alone', { 'cache-control': 's-maxage=0, stale-while-revalidate=60' }],
  ['stale-if-error alone', { 'cache-control': 'max-age=0, stale-if-error=60' }],
])('RFC 9111 section 3: explicit freshness is stored: %s', async (_name, headers) => {
  const server = numbered(headers);
  expect((await server.get('/p')).cache).toBe('fwd=uri-miss; stored');
});

it.each([302, 307])(
  'RFC 9111 section 3: a %i is stored by its own word only, under a rule too',
  async (status) => {
    const routeRules = { '/**': { sMaxAge: 60, staleWhileRevalidate: 60 } };
    const [silent, again] = await twice({ location: '/q' }, status, { routeRules });
    expect(silent.cache).toBe('fwd=uri-miss; detail=no-freshness');
    expect(again.isHit).toBe(false);
    // No cache in front of this server may keep it.
    expect(silent.header('cache-control')).toBe('private, no-cache');

    const own = { location: '/q', 'cache-control': 'max-age=5' };
    const [, stored] = await twice(own, status, { routeRules });
    expect(stored.cache).toBe('hit; ttl=5');
    expect(stored.header('cache-control')).toBe('max-age=5');
  },
);

it.each([301, 308, 404, 410])(
  'RFC 9111 section 3: a %i without Cache-Control is stored under a rule',
  async (status) => {
    const [, second] = await twice({ location: '/q' }, status, { routeRules: RULE });
    expect(second.cache).toBe('hit; ttl=60');
  },
);

it('RFC 9111 section 3: with cache: false in its rule nothing is stored or waited for', async () => {
  const options = { routeRules: { '/p': { cache: false } } } as const;
  const [first, second] = await twice(SHARED, 200, options);
  expect(first.cache).toBe('fwd=bypass; detail=rule');
  expect(second.cache).toBe('fwd=bypass; detail=rule');
});

it("RFC 9111 section 3: a path that is not the application's reaches the engine each time", async () => {
  const server = storedServer((_request, count) => (count < 3 ? null : html('now', SHARED)));
  expect((await server.get('/p')).status).toBe(404);
  expect((await server.get('/p')).status).toBe(404);
  expect((await server.get('/p')).status).toBe(200);
});

it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY', 'PURGE'])(
  'RFC 9111 section 3: %s is neither answered from the store nor stored',
  async (method) => {
    const server = numbered(SHARED);
    await server.get('/p');
    for (const target of ['/p', '/cold']) {
      expect(server.handler.answer(plainExchange(target, {}, method))).toBeUndefined();
      expect((await server.get(target, {}, method)).status).toBe(405);
    }
    expect(server.requests).toHaveLength(1);
  },
);

it('RFC 9111 section 3: under a status that middleware has set nothing is stored', async () => {
  const server = numbered(SHARED);
  const unavailable = { ...plainExchange('/p'), status: 503 };
  const first = await server.ask(unavailable);
  expect([first.status, first.cache]).toEqual([503, 'fwd=bypass; detail=earlier-status']);
  expect((await server.get('/p')).cache).toBe('fwd=uri-miss; stored');

  const hit = await server.ask(unavailable);
  expect([hit.status, hit.text]).toEqual([503, '<!doctype html><p>render 2</p>']);
});

it("RFC 9111 section 3.1: the connection's own headers are not stored, all others are", async () => {
  const server = numbered({
    ...SHARED,
    connection: 'x-hop',
    'keep-alive': 'timeout=5',
    'transfer-encoding': 'chunked',
    upgrade: 'h2c',
    trailer: 'x',
    'proxy-connection': 'close',
    'cache-status': 'inner; hit',
    date: httpDate(),
    'x-frame-options': 'DENY',
    link: '</a.css>; rel=preload',
    'content-language': 'de',
  });
  await server.get('/p');
  const hit = await server.get('/p');
  expect(hit.isHit).toBe(true);
  expect(hit.header('x-frame-options')).toBe('DENY');
  expect(hit.header('link')).toBe('</a.css>; rel=preload');
  expect(hit.header('content-language')).toBe('de');
  for (const name of ['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'trailer']) {
    expect(hit.header(name), name).toBeUndefined();
  }
  expect(hit.header('date')).toBe(httpDate());
  expect(hit.header('proxy-connection')).toBeUndefined();
});

it('RFC 9111 section 3: with cache: false nothing is stored', async () => {
  const server = numbered(SHARED, { cache: false });
  await server.get('/p');
  expect((await server.get('/p')).text).toContain('render 2');
  expect(server.handler.cache.inspect()).toEqual({ count: 0, bytes: 0, maxBytes: 0, pages: [] });
});

it('RFC 9111 section 3: without built files (ng serve) nothing is stored', async () => {
  const server = numbered(SHARED, { files: { folder: '/nowhere/browser' } });
  await server.get('/p');
  expect((await server.get('/p')).text).toContain('render 2');
});
