import { expect, it } from 'vitest';
import { advance, turn, until, useClock } from './clock.ts';
import { html, type Page, storedServer } from './stored-server.ts';

useClock();

const SIE = { 'cache-control': 's-maxage=10, stale-if-error=60' };
const FIRST = '<!doctype html><p>render 1</p>';

/** Ways of a render to go wrong, from the second on. */
const FAILURES: readonly [string, Page][] = [
  [
    'throws',
    () => {
      throw new Error('cracked');
    },
  ],
  ['answers 500', () => html('sorry', {}, 500)],
  ['answers 503', () => html('sorry', { 'cache-control': 's-maxage=60' }, 503)],
  [
    'breaks off',
    () =>
      new Response(
        new ReadableStream({
          pull(controller) {
            controller.error(new Error('broken off'));
          },
        }),
      ),
  ],
];

it.each(FAILURES)(
  'RFC 5861 section 4: a page is answered for its time when its render %s',
  async (_name, fail) => {
    const server = storedServer((request, count, context) =>
      count === 1 ? html('render 1', SIE) : fail(request, count, context),
    );
    await server.get('/p');
    advance(10);
    for (const seconds of [0, 30, 29.9]) {
      advance(seconds);
      const answer = await server.get('/p');
      expect([answer.status, answer.text, answer.isHit]).toEqual([200, FIRST, true]);
    }
    advance(0.1);
    const late = await server.get('/p');
    expect(late.status).toBeGreaterThanOrEqual(500);
    expect(late.text).not.toContain('render 1');
  },
);

it.each(FAILURES)(
  'RFC 5861 section 4: while a page cannot be rendered (it %s) not every request tries',
  async (_name, fail) => {
    const server = storedServer(async (request, count, context) => {
      if (count === 1) return html('render 1', SIE);
      await turn();
      return fail(request, count, context);
    });
    await server.get('/p');
    advance(10);
    const crowd = await Promise.all(Array.from({ length: 100 }, () => server.get('/p')));
    expect(new Set(crowd.map(({ text }) => text))).toEqual(new Set([FIRST]));
    for (let i = 0; i < 100; i++) await server.get('/p');
    expect(server.requests).toHaveLength(2);
    expect(server.errors.map(({ code }) => code)).toEqual(['NG_SSR_REFRESH_FAILED']);
    advance(1);
    await server.get('/p');
    expect(server.requests).toHaveLength(3);
  },
);

it('RFC 5861 section 4: a page is re-rendered as soon as renders succeed again', async () => {
  let isBroken = true;
  const server = storedServer((_request, count) => {
    if (count > 1 && isBroken) throw new Error('cracked');
    return html(`render ${count}`, SIE);
  });
  await server.get('/p');
  advance(10);
  expect((await server.get('/p')).text).toBe(FIRST);
  isBroken = false;
  advance(1);
  const next = await server.get('/p');
  expect([next.text, next.cache]).toEqual(['<!doctype html><p>render 3</p>', 'fwd=stale; stored']);
});

it('RFC 5861 section 4: without a failure the page is not answered stale', async () => {
  const server = storedServer((_request, count) => html(`render ${count}`, SIE));
  await server.get('/p');
  advance(10);
  expect((await server.get('/p')).text).toContain('render 2');
});

it('RFC 5861 section 4: a 404 is no failure', async () => {
  const server = storedServer((_request, count) =>
    html(`render ${count}`, count === 1 ? SIE : {}, count === 1 ? 200 : 404),
  );
  await server.get('/p');
  advance(10);
  expect((await server.get('/p')).status).toBe(404);
});

it('RFC 5861 section 4: it begins where freshness ends, beside stale-while-revalidate', async () => {
  const words = 's-maxage=10, stale-while-revalidate=20, stale-if-error=60';
  const server = storedServer((_request, count) => {
    if (count > 1) throw new Error('cracked');
    return html('render 1', { 'cache-control': words });
  });
  await server.get('/p');
  advance(29);
  expect((await server.get('/p')).text).toBe(FIRST);
  await until(() => server.errors.length === 1);
  advance(40);
  expect((await server.get('/p')).text).toBe(FIRST);
  advance(1);
  expect((await server.get('/p')).status).toBe(500);
});

it('RFC 5861 section 4: without it a failure is answered as a failure', async () => {
  const server = storedServer((_request, count) => {
    if (count > 1) throw new Error('cracked');
    return html('render 1', { 'cache-control': 's-maxage=10' });
  });
  await server.get('/p');
  advance(10);
  const failed = await server.get('/p');
  expect([failed.status, failed.header('cache-control')]).toEqual([500, 'no-store']);
  expect(server.errors.map(({ code }) => code)).toEqual(['NG_SSR_RENDER_FAILED']);
});

it('RFC 5861 section 4: a page purged softly is answered when its render fails', async () => {
  const server = storedServer((_request, count) => {
    if (count > 1) throw new Error('cracked');
    return html('render 1', SIE);
  });
  await server.get('/p');
  await server.handler.cache.purge({ path: '/p' });
  expect((await server.get('/p')).text).toBe(FIRST);
  await server.handler.cache.purge({ path: '/p', hard: true });
  expect((await server.get('/p')).status).toBe(500);
});
