import { expect, it } from 'vitest';
import { plainExchange } from '../plain-exchange.ts';
import { advance, turn, until, useClock } from './clock.ts';
import { html, numbered, storedServer } from './stored-server.ts';

useClock();

const SWR = { 'cache-control': 's-maxage=10, stale-while-revalidate=60' };

it('RFC 5861 section 3: a stale page is answered at once, and re-rendered once in the background', async () => {
  let land = (): void => undefined;
  const server = storedServer(async (_request, count) => {
    if (count === 2) await new Promise<void>((resolve) => (land = resolve));
    return html(`render ${count}`, SWR);
  });
  await server.get('/p');
  advance(10);
  for (const stale of await Promise.all(Array.from({ length: 20 }, () => server.get('/p')))) {
    expect([stale.text, stale.cache]).toEqual(['<!doctype html><p>render 1</p>', 'hit; ttl=0']);
    expect(stale.header('age')).toBe('10');
  }
  advance(5);
  expect((await server.get('/p')).cache).toBe('hit; ttl=-5');
  await until(() => server.requests.length === 2);
  land();
  await until(async () => (await server.get('/p')).text.includes('render 2'));
  const fresh = await server.get('/p');
  expect([fresh.cache, fresh.header('age')]).toEqual(['hit; ttl=10', '0']);
  expect(server.requests).toHaveLength(2);
});

it('RFC 5861 section 3: while it is re-rendered a stale page is answered synchronously', async () => {
  const server = storedServer((_request, count) =>
    count === 1 ? html('render 1', SWR) : new Promise(() => undefined),
  );
  await server.get('/p');
  advance(11);
  // The request that starts the refresh has all that a render needs.
  expect(server.handler.answer(plainExchange('/p'))).toBeUndefined();
  await server.get('/p');
  expect(server.handler.answer(plainExchange('/p'))?.status).toBe(200);
});

it('RFC 5861 section 3: after its stale time the page is rendered while the client waits', async () => {
  const server = numbered(SWR);
  await server.get('/p');
  advance(69);
  expect((await server.get('/p')).text).toContain('render 1');
  await until(async () => (await server.get('/p')).text.includes('render 2'));
  advance(70);
  const late = await server.get('/p');
  expect([late.text, late.cache]).toEqual(['<!doctype html><p>render 3</p>', 'fwd=stale; stored']);
});

it.each(['', '=', '=abc', '=-1', '=1.5', '=0'])(
  'RFC 5861 section 3: stale-while-revalidate%s allows nothing',
  async (argument) => {
    const server = numbered({ 'cache-control': `s-maxage=10, stale-while-revalidate${argument}` });
    await server.get('/p');
    advance(10);
    expect((await server.get('/p')).text).toContain('render 2');
  },
);

it('RFC 5861 section 3: a page that is stale at once is answered all the same', async () => {
  const server = numbered({ 'cache-control': 'max-age=0, stale-while-revalidate=60' });
  await server.get('/p');
  expect((await server.get('/p')).text).toContain('render 1');
  await until(async () => (await server.get('/p')).text.includes('render 2'));
});

it('RFC 5861 section 3: a refresh that fails keeps the last good page, and is tried later and later', async () => {
  let isBroken = true;
  const server = storedServer((_request, count) => {
    if (count > 1 && isBroken) throw new Error('cracked');
    return html(`render ${count}`, { 'cache-control': 's-maxage=10, stale-while-revalidate=900' });
  }, {});
  await server.get('/p');
  advance(10);
  const ask = async (): Promise<void> => {
    for (let i = 0; i < 5; i++) {
      const { text, isHit } = await server.get('/p');
      expect([text, isHit]).toEqual(['<!doctype html><p>render 1</p>', true]);
      await turn();
    }
  };
  let renders = 1;
  for (const waitSeconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
    await ask();
    expect(server.requests).toHaveLength(++renders);
    const error = server.errors.at(-1)!;
    expect(error.code).toBe('NG_SSR_REFRESH_FAILED');
    expect(error.message).toContain(`/p could not be re-rendered`);
    expect(error.message).toContain(`${waitSeconds * 1000} ms`);
    advance(waitSeconds - 0.001);
    await ask();
    expect(server.requests).toHaveLength(renders);
    advance(0.001);
  }
  expect(server.errors).toHaveLength(8);
  isBroken = false;
  await server.get('/p');
  await until(async () => (await server.get('/p')).text.includes(`render ${renders + 1}`));
});

it('RFC 5861 section 3: a refresh that fails by its own status keeps the last good page too', async () => {
  for (const status of [500, 502, 503, 504]) {
    const server = storedServer((_request, count) =>
      html(`render ${count}`, SWR, count === 1 ? 200 : status),
    );
    await server.get('/p');
    advance(10);
    for (let i = 0; i < 5; i++) {
      expect((await server.get('/p')).text).toContain('render 1');
      await turn();
    }
    expect(server.requests).toHaveLength(2);
    expect(server.errors.map(({ code }) => code)).toEqual(['NG_SSR_REFRESH_FAILED']);
  }
});

it.each([
  ['no-store', { 'cache-control': 'no-store' }],
  ['private', { 'cache-control': 'private, s-maxage=10' }],
  ['nothing of freshness', {}],
  ['Set-Cookie', { ...SWR, 'set-cookie': 'a=b' }],
])('RFC 5861 section 3: a refresh with %s drops the page', async (_name, headers) => {
  const server = storedServer((_request, count) =>
    html(`render ${count}`, count === 1 ? SWR : headers),
  );
  await server.get('/p');
  advance(10);
  expect((await server.get('/p')).text).toContain('render 1');
  await until(() => server.handler.cache.inspect().count === 0);
  const next = await server.get('/p');
  expect([next.text, next.isHit]).toEqual(['<!doctype html><p>render 3</p>', false]);
});

it('RFC 5861 section 3: a refresh that finds the page gone replaces it', async () => {
  const server = storedServer((_request, count) =>
    html(`render ${count}`, SWR, count === 1 ? 200 : 404),
  );
  await server.get('/p');
  advance(10);
  expect((await server.get('/p')).status).toBe(200);
  await until(async () => (await server.get('/p')).status === 404);
  const gone = await server.get('/p');
  expect([gone.isHit, gone.text]).toEqual([true, '<!doctype html><p>render 2</p>']);
});

it('RFC 5861 section 3: a page that no route matches any more is not answered again', async () => {
  const server = storedServer((_request, count) => (count === 1 ? html('render 1', SWR) : null));
  await server.get('/p');
  advance(10);
  expect((await server.get('/p')).status).toBe(200);
  await until(async () => (await server.get('/p')).status === 404);
});

it('RFC 5861 section 3: requests after its stale time wait for the refresh in flight', async () => {
  let land = (): void => undefined;
  const server = storedServer(async (_request, count) => {
    if (count === 2) await new Promise<void>((resolve) => (land = resolve));
    return html(`render ${count}`, SWR);
  });
  await server.get('/p');
  advance(69);
  await server.get('/p');
  advance(1);
  const waiting = Promise.all(Array.from({ length: 10 }, () => server.get('/p')));
  await until(() => server.requests.length === 2);
  land();
  expect(new Set((await waiting).map(({ text }) => text))).toEqual(
    new Set(['<!doctype html><p>render 2</p>']),
  );
  expect(server.requests).toHaveLength(2);
});

it('RFC 5861 section 3: a rule’s seconds replace those of the page', async () => {
  const routeRules = { '/**': { sMaxAge: 5, staleWhileRevalidate: 5 } };
  const server = numbered(SWR, { routeRules });
  await server.get('/p');
  advance(9);
  expect((await server.get('/p')).text).toContain('render 1');
  await until(async () => (await server.get('/p')).text.includes('render 2'));
  advance(10);
  expect((await server.get('/p')).cache).toBe('fwd=stale; stored');
});
