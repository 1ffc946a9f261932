import { expect, it } from 'vitest';
import { advance, until, useClock } from './clock.ts';
import { html, numbered, storedServer } from './stored-server.ts';

useClock();

const ANN = { authorization: 'Bearer ann' };

it('RFC 9111 section 3.5: an answer to a request with Authorization is not stored', async () => {
  for (const value of ['max-age=60', 'max-age=60, stale-while-revalidate=60', 'immutable']) {
    const server = numbered({ 'cache-control': value, expires: 'Fri, 20 Nov 2026 12:01:00 GMT' });
    expect((await server.get('/p', ANN)).cache).toBe('fwd=uri-miss; detail=authorization');
    expect((await server.get('/p', ANN)).text).toContain('render 2');
    expect((await server.get('/p')).text).toContain('render 3');
  }
});

it.each(['public, max-age=60', 's-maxage=60', 'max-age=60, must-revalidate'])(
  'RFC 9111 section 3.5: %s lets the answer to a request with Authorization be stored',
  async (value) => {
    const server = numbered({ 'cache-control': value });
    expect((await server.get('/p', ANN)).cache).toBe('fwd=uri-miss; stored');
    expect((await server.get('/p')).cache).toBe('hit; ttl=60');
  },
);

it('RFC 9111 section 3.5: an empty Authorization is one', async () => {
  const server = numbered({ 'cache-control': 'max-age=60' });
  const answer = await server.get('/p', { authorization: '' });
  expect(answer.cache).toBe('fwd=uri-miss; detail=authorization');
});

it('RFC 9111 section 3.5: CDN-Cache-Control takes precedence over Cache-Control', async () => {
  const silent = { 'cdn-cache-control': 'max-age=60', 'cache-control': 'public' };
  expect((await numbered(silent).get('/p', ANN)).cache).toBe('fwd=uri-miss; detail=authorization');
  const open = { 'cdn-cache-control': 'public, max-age=60' };
  expect((await numbered(open).get('/p', ANN)).cache).toBe('fwd=uri-miss; stored');
});

it('RFC 9111 section 3.5: an answer to a request with Authorization reaches no other request that waited', async () => {
  const server = storedServer(async (request) => {
    await new Promise((resolve) => setImmediate(resolve));
    return html(request.headers.get('authorization') ?? 'nobody', {
      'cache-control': 'max-age=60',
    });
  });
  const people = Array.from({ length: 30 }, (_, i) => (i % 3 === 0 ? `Bearer ${i}` : undefined));
  const answers = await Promise.all(
    people.map((authorization) => server.get('/p', authorization ? { authorization } : {})),
  );
  for (const [i, { text }] of answers.entries()) {
    // RFC 9111 lets a page stored for nobody in particular be used for all.
    const allowed = [`<!doctype html><p>${people[i]}</p>`, '<!doctype html><p>nobody</p>'];
    if (people[i] === undefined) expect(text).toBe(allowed[1]);
    else expect(allowed).toContain(text);
  }
});

it('RFC 9111 section 3.5: one request with Authorization keeps no page of others out of the store', async () => {
  const server = numbered({ 'cache-control': 'max-age=60' });
  await server.get('/p', ANN);
  expect((await server.get('/p')).cache).toBe('fwd=uri-miss; stored');
  expect((await server.get('/p')).isHit).toBe(true);
});

it('RFC 9111 section 3.5: a refresh started by a request with Authorization drops no page', async () => {
  const server = numbered({ 'cache-control': 'max-age=10, stale-while-revalidate=60' });
  await server.get('/p');
  advance(11);
  expect((await server.get('/p', ANN)).text).toContain('render 1');
  await until(() => server.requests.length === 2);
  await until(async () => (await server.get('/p')).cache === 'hit; ttl=10');
  const fresh = await server.get('/p');
  expect([fresh.isHit, fresh.text]).toEqual([true, '<!doctype html><p>render 2</p>']);
  expect(server.requests[1]!.headers.has('authorization')).toBe(false);
});

it('RFC 9111 section 3.5: a route with a rule has not seen the header, and is stored', async () => {
  const server = storedServer((request) => html(String(request.headers.get('authorization')), {}), {
    routeRules: { '/**': { sMaxAge: 60 } },
  });
  const answer = await server.get('/p', ANN);
  expect([answer.text, answer.cache]).toEqual([
    '<!doctype html><p>null</p>',
    'fwd=uri-miss; stored',
  ]);
});
