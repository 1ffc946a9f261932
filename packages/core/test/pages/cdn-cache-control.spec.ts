import { expect, it } from 'vitest';
import { advance, useClock } from './clock.ts';
import { numbered } from './stored-server.ts';

useClock();

/** What becomes of a page with these two headers: its lifetime in seconds, or why it is not stored. */
async function verdict(
  cdn: string,
  cacheControl?: string,
  more: Readonly<Record<string, string>> = {},
): Promise<number | string> {
  const server = numbered({
    'cdn-cache-control': cdn,
    ...(cacheControl !== undefined && { 'cache-control': cacheControl }),
    ...more,
  });
  const first = await server.get('/p');
  const reason = /detail=([\w-]+)/.exec(first.cache)?.[1];
  if (reason !== undefined) return reason;
  return Number(/ttl=(\d+)/.exec((await server.get('/p')).cache)![1]);
}

const EXPIRES = { expires: 'Fri, 20 Nov 2026 12:00:05 GMT' };

it('RFC 9213 section 2.2: CDN-Cache-Control counts before Cache-Control and Expires', async () => {
  expect(await verdict('max-age=60', 'max-age=10')).toBe(60);
  expect(await verdict('max-age=60', 's-maxage=10', EXPIRES)).toBe(60);
  expect(await verdict('max-age=60', 'no-store')).toBe(60);
  expect(await verdict('max-age=60', 'private, no-cache')).toBe(60);
  expect(await verdict('max-age=60')).toBe(60);
  expect(await verdict('s-maxage=60, max-age=10')).toBe(60);
});

it('RFC 9213 section 2.2: what it forbids no other header allows', async () => {
  expect(await verdict('no-store', 's-maxage=60')).toBe('no-store');
  expect(await verdict('private', 's-maxage=60')).toBe('private');
  expect(await verdict('private="x-a"', 's-maxage=60')).toBe('private');
  expect(await verdict('no-cache', 's-maxage=60')).toBe('no-cache');
  expect(await verdict('max-age=60, no-store', 's-maxage=60')).toBe('no-store');
  expect(await verdict('max-age=0', 's-maxage=60')).toBe('no-freshness');
});

it('RFC 9213 section 2.2: without a lifetime there is none', async () => {
  expect(await verdict('public', 's-maxage=60', EXPIRES)).toBe('no-freshness');
});

it.each(['', ' ', '\t'])('RFC 9213 section 2.1: an empty header is ignored: %j', async (cdn) => {
  expect(await verdict(cdn, 's-maxage=10')).toBe(10);
  expect(await verdict(cdn, 'no-store')).toBe('no-store');
});

it.each(['max-age=60,', 'max-age=1234567890123456', "no-store, 'a'", '{"max-age":60}'])(
  'RFC 9213 section 2.1: a malformed header is ignored: %s',
  async (cdn) => {
    expect(await verdict(cdn, 's-maxage=10')).toBe(10);
    expect(await verdict(cdn, 'no-store')).toBe('no-store');
    expect(await verdict(cdn)).toBe('no-freshness');
  },
);

it.each<[string, number | string]>([
  ['no-store;a=1, max-age=60', 'no-store'],
  ['private;a="b", max-age=60', 'private'],
  ['foo="no-store, \\"x\\"", max-age=60', 60],
])('RFC 9213 section 2.1: it is a dictionary of RFC 9651: %s', async (cdn, expected) => {
  expect(await verdict(cdn, 's-maxage=10')).toBe(expected);
});

it('RFC 9213 section 2.2: its directives decide about stale use', async () => {
  const server = numbered({
    'cdn-cache-control': 'max-age=10, stale-while-revalidate=20',
    'cache-control': 'max-age=10, stale-while-revalidate=3600',
  });
  await server.get('/p');
  advance(25);
  expect((await server.get('/p')).isHit).toBe(true);
  const strict = numbered({
    'cdn-cache-control': 'max-age=10, stale-while-revalidate=20, must-revalidate',
  });
  await strict.get('/p');
  advance(11);
  expect((await strict.get('/p')).isHit).toBe(false);
});

it('RFC 9213 section 2: the header is passed on to the caches that it is for', async () => {
  const server = numbered({ 'cdn-cache-control': 'max-age=60', 'cache-control': 'no-store' });
  await server.get('/p');
  const hit = await server.get('/p');
  expect(hit.header('cdn-cache-control')).toBe('max-age=60');
  expect(hit.header('cache-control')).toBe('no-store');
});

it('RFC 9213 section 2.2: under a rule it still forbids, and its lifetime is the rule’s', async () => {
  const options = { routeRules: { '/**': { sMaxAge: 30 } } };
  const server = numbered({ 'cdn-cache-control': 'no-store' }, options);
  expect((await server.get('/p')).cache).toBe('fwd=uri-miss; detail=no-store');
  const other = numbered({ 'cdn-cache-control': 'max-age=600' }, options);
  await other.get('/p');
  expect((await other.get('/p')).cache).toBe('hit; ttl=30');
});
