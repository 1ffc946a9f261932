import { expect, it } from 'vitest';
import { advance, httpDate, START, useClock } from './clock.ts';
import { numbered } from './stored-server.ts';

useClock();

type HeaderRecord = Readonly<Record<string, string>>;

/** For how long a page with these headers is answered from the store, in seconds; 0 when never. */
async function lifetimeOf(headers: HeaderRecord): Promise<number> {
  const server = numbered(headers);
  await server.get('/p');
  const hit = await server.get('/p');
  if (!hit.isHit) return 0;
  const seconds = Number(/ttl=(-?\d+)/.exec(hit.cache)![1]);
  advance(seconds - 1);
  expect((await server.get('/p')).isHit).toBe(true);
  advance(1);
  expect((await server.get('/p')).isHit).toBe(false);
  return seconds;
}

const EXPIRES = 'Fri, 20 Nov 2026 12:01:00 GMT';

it.each<[string, HeaderRecord, number]>([
  ['s-maxage', { 'cache-control': 's-maxage=10' }, 10],
  ['max-age', { 'cache-control': 'max-age=10' }, 10],
  ['s-maxage over max-age', { 'cache-control': 'max-age=30, s-maxage=10' }, 10],
  ['a longer s-maxage over max-age', { 'cache-control': 'max-age=10, s-maxage=30' }, 30],
  ['max-age over Expires', { 'cache-control': 'max-age=10', expires: EXPIRES }, 10],
  ['s-maxage over Expires', { 'cache-control': 's-maxage=10', expires: EXPIRES }, 10],
  ['Expires', { expires: EXPIRES }, 60],
  ['Expires beside other directives', { 'cache-control': 'public', expires: EXPIRES }, 60],
  ['Expires beside Date', { expires: EXPIRES, date: 'Fri, 20 Nov 2026 12:00:00 GMT' }, 60],
])('RFC 9111 section 4.2.1: freshness comes from %s', async (_name, headers, seconds) => {
  expect(await lifetimeOf(headers)).toBe(seconds);
});

it('RFC 9111 section 4.2.1: an Expires that comes twice has passed', async () => {
  expect(await lifetimeOf({ expires: `${EXPIRES}, ${EXPIRES}` })).toBe(0);
});

it.each(['s-maxage=abc, max-age=60', 's-maxage=-1, max-age=60'])(
  'RFC 9111 section 4.2.1: %s is stale',
  async (value) => {
    expect(await lifetimeOf({ 'cache-control': value })).toBe(0);
  },
);

it.each(['0', '2026-11-20T12:01:00Z'])(
  'RFC 9111 section 5.3: an Expires of %s has passed',
  async (expires) => {
    expect(await lifetimeOf({ expires })).toBe(0);
  },
);

it('RFC 9111 section 1.2.2: a lifetime is at most 2^31 seconds', async () => {
  const server = numbered({ 'cache-control': `max-age=${'9'.repeat(40)}` });
  await server.get('/p');
  expect((await server.get('/p')).cache).toBe(`hit; ttl=${2 ** 31}`);
  advance(365 * 24 * 3600);
  expect((await server.get('/p')).isHit).toBe(true);
});

it('RFC 9111 section 4.2.2: nothing is fresh by heuristics', async () => {
  const old = 'Tue, 20 Nov 2018 12:00:00 GMT';
  expect(await lifetimeOf({ 'last-modified': old })).toBe(0);
  expect(await lifetimeOf({ 'last-modified': old, 'cache-control': 'public' })).toBe(0);
});

it('RFC 9111 section 4.2.3: Age counts the seconds since the render', async () => {
  const server = numbered({ 'cache-control': 's-maxage=60' });
  expect((await server.get('/p')).header('age')).toBe('0');
  for (const [seconds, age, ttl] of [
    [0.4, '0', 59],
    [0.6, '1', 59],
    [58.9, '59', 0],
  ] as const) {
    advance(seconds);
    const hit = await server.get('/p');
    expect([hit.header('age'), hit.cache]).toEqual([age, `hit; ttl=${ttl}`]);
  }
});

it('RFC 9111 section 4.2.3: the Age a page came with counts', async () => {
  const server = numbered({ 'cache-control': 's-maxage=60', age: '20' });
  expect((await server.get('/p')).header('age')).toBe('20');
  advance(10);
  const hit = await server.get('/p');
  expect([hit.header('age'), hit.cache]).toEqual(['30', 'hit; ttl=30']);
  advance(30);
  expect((await server.get('/p')).isHit).toBe(false);
});

it('RFC 9111 section 4.2.3: what comes older than its lifetime is not stored', async () => {
  for (const age of ['60', '61', '9'.repeat(30)]) {
    const answer = await numbered({ 'cache-control': 's-maxage=60', age }).get('/p');
    expect(answer.cache).toBe('fwd=uri-miss; detail=no-freshness');
  }
});

it('RFC 9111 section 4.2.3: a Date in the past makes a page older, one in the future does not make it younger', async () => {
  const old = numbered({ 'cache-control': 's-maxage=60', date: httpDate(-20) });
  expect((await old.get('/p')).header('age')).toBe('20');
  const both = numbered({ 'cache-control': 's-maxage=60', date: httpDate(-20), age: '40' });
  expect((await both.get('/p')).header('age')).toBe('40');
  const young = numbered({ 'cache-control': 's-maxage=60', date: httpDate(20) });
  expect((await young.get('/p')).header('age')).toBe('0');
  expect((await young.get('/p')).cache).toBe('hit; ttl=60');
});

it('RFC 9111 section 5.3: Expires counts from Date', async () => {
  const date = new Date(START - 30_000).toUTCString();
  // 90 seconds from its Date, 30 of which have passed.
  expect(await lifetimeOf({ expires: EXPIRES, date })).toBe(60);
});

it.each([{}, { cache: false as const }])(
  'RFC 9111 section 5.3: a page with Expires alone keeps its own freshness: %j',
  async (options) => {
    for (const expires of [httpDate(60), httpDate(-60), '0']) {
      const server = numbered({ expires }, options);
      const answer = await server.get('/p');
      expect([answer.header('expires'), answer.header('cache-control')]).toEqual([
        expires,
        undefined,
      ]);
    }
  },
);
