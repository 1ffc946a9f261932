import { expect, it } from 'vitest';
import { unhandledErrors, withSharedStore } from '@ng-ssr/core';
import { advance, until, useClock } from './clock.ts';
import { Shelf } from '../features/shared-store/fake-page-store.ts';
import { html, type Page, storedServer } from './stored-server.ts';

useClock();

const SWR = 's-maxage=10, stale-while-revalidate=30, stale-if-error=60';

/** Pages that may be stored, but for the errors that some of their renders leave. */
function flaky(hasError: (count: number) => boolean, cacheControl = SWR): Page {
  return (_request, count) => {
    if (hasError(count)) unhandledErrors()!(new Error(`of render ${count}`));
    return html(`render ${count}`, { 'cache-control': cacheControl, expires: 'never' });
  };
}

it.each([{}, { routeRules: { '/**': { sMaxAge: 60 } } }])(
  'a page that has left errors is answered, and not stored: %o',
  async (options) => {
    const shelf = new Shelf();
    const server = storedServer(
      flaky((count) => count < 3),
      { ...options, features: [withSharedStore(shelf.open(), { buildId: 'b' })] },
    );
    for (let i = 1; i <= 2; i++) {
      const { status, text, cache, header } = await server.get('/p?a=1');
      expect([status, text]).toEqual([200, `<!doctype html><p>render ${i}</p>`]);
      expect(cache).toBe('fwd=uri-miss; detail=errors');
      expect(['cache-control', 'expires', 'etag'].map(header)).toEqual([
        'no-store',
        undefined,
        undefined,
      ]);
    }
    expect(shelf.calls['set']).toBeUndefined();
    // The page of a shared route does not see the query.
    const url = `http://localhost/p${'routeRules' in options ? '' : '?a=1'}`;
    const message = (i: number): string =>
      `GET /p?a=1 (${url}) has left an error unhandled: Error: of render ${i}`;
    expect(server.errors).toMatchObject([
      { code: 'NG_SSR_ERROR_UNHANDLED', message: message(1) },
      { code: 'NG_SSR_ERROR_UNHANDLED', message: message(2) },
    ]);
    expect((await server.get('/p?a=1')).cache).toBe('fwd=uri-miss; stored');
    expect((await server.get('/p?a=1')).isHit).toBe(true);
  },
);

it('an error that comes by two ways is reported once, and two errors are', async () => {
  const server = storedServer(() => {
    const leave = unhandledErrors()!;
    const error = new Error('the same');
    [error, error, 'text', undefined].forEach(leave);
    return html('page', {});
  });
  await server.get('/p');
  expect(server.errors.map(({ cause }) => cause)).toEqual([
    new Error('the same'),
    'text',
    undefined,
  ]);
});

it('a refresh that leaves errors keeps the page that is there', async () => {
  const server = storedServer(flaky((count) => count === 2));
  await server.get('/p');
  advance(10);
  expect((await server.get('/p')).text).toContain('render 1');
  await until(() => server.errors.length === 2);
  expect(server.errors.map(({ code }) => code)).toEqual([
    'NG_SSR_ERROR_UNHANDLED',
    'NG_SSR_REFRESH_FAILED',
  ]);
  const kept = await server.get('/p');
  expect([kept.text, kept.isHit]).toEqual(['<!doctype html><p>render 1</p>', true]);
  advance(1);
  await until(async () => (await server.get('/p')).text.includes('render 3'));
});

it('RFC 5861 section 4: a good page comes before a new one with errors, for its time', async () => {
  const server = storedServer(flaky((count) => count > 1, 's-maxage=10, stale-if-error=60'));
  await server.get('/p');
  advance(10);
  const stale = await server.get('/p');
  expect([stale.text, stale.isHit]).toEqual(['<!doctype html><p>render 1</p>', true]);
  advance(60);
  const late = await server.get('/p');
  expect([late.status, late.isHit, late.header('cache-control')]).toEqual([200, false, 'no-store']);
  expect(late.text).not.toContain('render 1');
});

it('a crowd has one render of a shared page with errors', async () => {
  const server = storedServer(
    async (_request, count) => {
      unhandledErrors()!(new Error('flaky'));
      await new Promise((resolve) => setImmediate(resolve));
      return html(`render ${count}`, {});
    },
    { routeRules: { '/**': { sMaxAge: 60 } } },
  );
  const crowd = await Promise.all(Array.from({ length: 50 }, () => server.get('/p')));
  expect(new Set(crowd.map(({ text }) => text)).size).toBe(1);
  expect(crowd.every(({ header }) => header('cache-control') === 'no-store')).toBe(true);
  expect(server.errors).toHaveLength(1);
});
