import { expect, it } from 'vitest';
import { advance, until, useClock } from './clock.ts';
import { html, numbered, storedServer } from './stored-server.ts';

useClock();

const SHARED = { 'cache-control': 's-maxage=60' };

it.each([
  ...['no-cache', 'max-age=0', 'max-age=0, must-revalidate', 'min-fresh=3600', 'max-stale=0'],
  ...['max-stale', 'only-if-cached', 'no-transform', 'stale-if-error=0'],
])('RFC 9111 section 5.2.1: %s of a request causes no render', async (value) => {
  const server = numbered(SHARED);
  await server.get('/p');
  const again = await server.get('/p', { 'cache-control': value, pragma: 'no-cache' });
  expect([again.isHit, again.text]).toEqual([true, '<!doctype html><p>render 1</p>']);
});

it.each(['no-cache', 'max-age=0', 'only-if-cached', 'max-stale=60'])(
  'RFC 9111 section 5.2.1: with %s a cold page is rendered and stored',
  async (value) => {
    const server = numbered(SHARED);
    expect((await server.get('/p', { 'cache-control': value })).cache).toBe('fwd=uri-miss; stored');
    expect((await server.get('/p')).isHit).toBe(true);
  },
);

it('RFC 9111 section 5.2.1: a stale page is no fresher for requests that allow it, nor staler', async () => {
  const server = numbered({ 'cache-control': 's-maxage=10, stale-while-revalidate=20' });
  await server.get('/p');
  advance(31);
  const late = await server.get('/p', { 'cache-control': 'max-stale=3600' });
  expect(late.text).toContain('render 2');
  advance(15);
  const stale = await server.get('/p', { 'cache-control': 'max-stale=0, no-cache' });
  expect([stale.isHit, stale.text]).toEqual([true, '<!doctype html><p>render 2</p>']);
});

it.each(['no-store', 'No-Store', 'max-age=0, no-store'])(
  'RFC 9111 section 5.2.1.5: with %s a page is not stored',
  async (value) => {
    for (const options of [{}, { routeRules: { '/**': { sMaxAge: 60 } } }]) {
      const server = numbered(SHARED, options);
      const first = await server.get('/p', { 'cache-control': value });
      expect(first.cache).toBe('fwd=uri-miss; detail=request-no-store');
      expect(server.handler.cache.inspect().count).toBe(0);
      // It says nothing about the requests of others.
      expect((await server.get('/p')).cache).toBe('fwd=uri-miss; stored');
    }
  },
);

it('RFC 9111 section 5.2.1.5: what is stored is answered with no-store all the same', async () => {
  const server = numbered(SHARED);
  await server.get('/p');
  expect((await server.get('/p', { 'cache-control': 'no-store' })).isHit).toBe(true);
});

it('RFC 9111 section 5.2.1.5: a stale page that is asked for with no-store stays and is refreshed', async () => {
  const server = numbered({ 'cache-control': 's-maxage=10, stale-while-revalidate=60' });
  await server.get('/p');
  advance(11);
  expect((await server.get('/p', { 'cache-control': 'no-store' })).text).toContain('render 1');
  await until(async () => (await server.get('/p')).text.includes('render 2'));
  expect(server.requests).toHaveLength(2);
});

it('RFC 9111 section 5.2.1.5: a waiting request with no-store leads for no other', async () => {
  const server = storedServer(async (_request, count) => {
    await new Promise((resolve) => setImmediate(resolve));
    return html(`render ${count}`, SHARED);
  });
  const answers = await Promise.all([
    server.get('/p', { 'cache-control': 'no-store' }),
    ...Array.from({ length: 20 }, () => server.get('/p')),
  ]);
  expect(answers[0]!.cache).toBe('fwd=uri-miss; detail=request-no-store');
  expect(new Set(answers.slice(1).map(({ text }) => text))).toEqual(
    new Set(['<!doctype html><p>render 2</p>']),
  );
  expect(server.requests).toHaveLength(2);
});

it('a needless escape in the path stores no page, and gets what is stored', async () => {
  const server = numbered(SHARED);
  expect((await server.get('/%70/%c3%a9')).cache).toBe('fwd=uri-miss; detail=request-no-store');
  expect((await server.get('/p/%c3%a9')).cache).toBe('fwd=uri-miss; stored');
  expect((await server.get('/%70/%C3%A9')).isHit).toBe(true);
});
