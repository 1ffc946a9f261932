import { expect, it } from 'vitest';
import { advance, turn, useClock } from './clock.ts';
import { html, numbered, storedServer } from './stored-server.ts';

useClock();

it('RFC 9111 section 4.2.4: a stale page is not answered where nothing allows it', async () => {
  for (const value of ['s-maxage=10', 'max-age=10', 'max-age=10, stale-while-revalidate']) {
    const server = numbered({ 'cache-control': value });
    await server.get('/p');
    advance(10);
    const next = await server.get('/p');
    expect([next.cache, next.text]).toEqual([
      'fwd=stale; stored',
      '<!doctype html><p>render 2</p>',
    ]);
  }
});

it.each([
  'max-age=10, must-revalidate, stale-while-revalidate=60, stale-if-error=60',
  's-maxage=10, stale-while-revalidate=60, proxy-revalidate, stale-if-error=60',
  's-maxage=10, stale-while-revalidate=60, stale-if-error=60, MUST-REVALIDATE',
])('RFC 9111 section 5.2.2.2 and 5.2.2.8: no stale page is answered with %s', async (value) => {
  for (const rule of [{}, { '/**': { sMaxAge: 10, staleWhileRevalidate: 60, staleIfError: 60 } }]) {
    const server = storedServer(
      (_request, count) => {
        if (count === 3) throw new Error('cracked');
        return html(`render ${count}`, { 'cache-control': value });
      },
      { routeRules: rule },
    );
    const first = await server.get('/p');
    expect(first.cache).toBe('fwd=uri-miss; stored');
    advance(11);
    expect((await server.get('/p')).text).toContain('render 2');
    advance(11);
    expect((await server.get('/p')).status).toBe(500);
  }
});

it('RFC 9111 section 5.2.2.2: caches in front of this server get must-revalidate under a rule too', async () => {
  const routeRules = { '/**': { sMaxAge: 10, staleWhileRevalidate: 60, staleIfError: 60 } };
  const server = numbered({ 'cache-control': 'must-revalidate' }, { routeRules });
  const value = (await server.get('/p')).header('cache-control')!;
  expect(value).not.toContain('stale-');
  expect(value).toContain('must-revalidate');
});

it('RFC 9111 section 5.2.3: unknown directives, with and without arguments, change nothing', async () => {
  const server = numbered({ 'cache-control': 'community="UCI", foo, no-transform, max-age=60' });
  await server.get('/p');
  expect((await server.get('/p')).cache).toBe('hit; ttl=60');
});

it('RFC 9111 section 4.2.4: an expired page that comes back private is dropped', async () => {
  const words = ['s-maxage=10, stale-if-error=3600', 'private', 'throw'];
  const server = storedServer((_request, count) => {
    if (count === 3) throw new Error('cracked');
    return html(`render ${count}`, { 'cache-control': words[count - 1]! });
  });
  await server.get('/p');
  advance(11);
  const next = await server.get('/p');
  expect([next.cache, next.text]).toEqual([
    'fwd=stale; detail=private',
    '<!doctype html><p>render 2</p>',
  ]);
  await turn();
  expect(server.handler.cache.inspect().count).toBe(0);
  expect((await server.get('/p')).status).toBe(500);
});
