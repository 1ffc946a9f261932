import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { describe, expect, test } from 'vitest';
import { type SsrOptions, withSharedStore } from '@ng-ssr/core';
import { plainExchange } from '../plain-exchange.ts';
import { Shelf } from '../features/shared-store/fake-page-store.ts';
import { numbered, type StoredServer, storedServer, html } from './stored-server.ts';
import { turn } from './clock.ts';

const FRESH = { 'cache-control': 's-maxage=60, stale-while-revalidate=60, stale-if-error=60' };

/** A route of the user's answers. */
function answered(
  { handler }: StoredServer,
  target: string,
  { method = 'POST', status = 200, headers = {}, host = 'localhost' } = {},
): void {
  const byName = new Map(Object.entries<string>(headers));
  handler.answered(plainExchange(target, { host }, method), {
    status,
    header: (name) => byName.get(name),
  });
}

async function isInvalidated(server: StoredServer, target: string): Promise<boolean> {
  return !(await server.get(target)).isHit;
}

describe('a successful answer to an unsafe request invalidates', () => {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'BREW', 'post']) {
    test(`${method}: the pages of its path, with their queries and spellings, and no others`, async () => {
      const server = numbered(FRESH);
      const pages = ['/p', '/p?a=1', '/p;x=1', '/p/', '/%70'];
      const others = ['/', '/p/q', '/q'];
      for (const target of [...pages, ...others]) await server.get(target);
      answered(server, '/p?b=2', { method });
      for (const target of ['/p', '/p?a=1', '/p;x=1', '/p/'])
        expect(await isInvalidated(server, target), target).toBe(true);
      for (const target of others) expect(await isInvalidated(server, target), target).toBe(false);
    });
  }

  test.each<{ method?: string; status?: number; isSuccess?: boolean }>([
    ...[200, 201, 204, 299, 301, 303, 307].map((status) => ({ status, isSuccess: true })),
    ...[400, 401, 403, 404, 405, 422, 429, 500, 503, 101].map((status) => ({ status })),
    ...['GET', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY'].map((method) => ({ method })),
  ])('with success alone, and no safe one: %o', async ({ isSuccess = false, ...answer }) => {
    const server = numbered(FRESH);
    await server.get('/p');
    answered(server, '/p', answer);
    expect(await isInvalidated(server, '/p')).toBe(isSuccess);
  });

  const elsewhere: Readonly<Record<string, boolean>> = {
    '/other': true,
    other: true,
    'http://localhost/other?x=1#y': true,
    'https://localhost/other': false,
    'http://other.example/other': false,
    '//other.example/other': false,
    'http://localhost:8080/other': false,
    'http://[': false,
    '': false,
  };
  for (const [address, isSame] of Object.entries(elsewhere)) {
    test(`Content-Location: ${address}`, async () => {
      const server = numbered(FRESH);
      for (const target of ['/p', '/other']) await server.get(target);
      answered(server, '/p', { headers: { 'content-location': address } });
      expect(await isInvalidated(server, '/p')).toBe(true);
      expect(await isInvalidated(server, '/other')).toBe(isSame);
    });

    test(`Location: ${address}, with 201 alone`, async () => {
      const server = numbered(FRESH);
      for (const target of ['/p', '/other']) await server.get(target);
      for (const status of [200, 302, 303])
        answered(server, '/p', { status, headers: { location: address } });
      expect(await isInvalidated(server, '/other')).toBe(false);
      answered(server, '/p', { status: 201, headers: { location: address } });
      expect(await isInvalidated(server, '/other')).toBe(isSame);
    });
  }

  test('nothing under a host that is not ours, for a malformed target, or where it is switched off', async () => {
    const server = numbered(FRESH);
    await server.get('/p');
    answered(server, '/p', { host: 'evil.example' });
    answered(server, '/p', { host: 'local host' });
    for (const target of ['//p', '/p/../p', '*', 'http://localhost/p', '/%zz'])
      answered(server, target);
    expect(await isInvalidated(server, '/p')).toBe(false);

    const cache = { invalidateOnUnsafeMethods: false };
    const off = numbered(FRESH, { cache });
    await off.get('/p');
    answered(off, '/p');
    expect(await isInvalidated(off, '/p')).toBe(false);
    const none = numbered(FRESH, { cache: false });
    answered(none, '/p');
  });

  test('a page whose render began before is not stored as fresh', async () => {
    let release = (): void => undefined;
    const server = storedServer(async (_request, count) => {
      if (count === 1) await new Promise<void>((resolve) => (release = resolve));
      return html(`render ${count}`, FRESH);
    });
    const first = server.get('/p');
    while (server.requests.length === 0) await turn();
    answered(server, '/p');
    const second = server.get('/p');
    release();
    expect((await first).text).toContain('render 1');
    // Who asked after the change gets what came after it.
    expect((await second).text).toContain('render 2');
    expect(await server.get('/p')).toMatchObject({ isHit: true });
    expect((await server.get('/p')).text).toContain('render 2');
  });

  test('the option is checked', () => {
    const cache = { invalidateOnUnsafeMethods: 'yes' } as unknown as SsrOptions['cache'];
    expect(() => numbered(FRESH, { cache })).toThrow(
      /cache\.invalidateOnUnsafeMethods is "yes" \(string\); allowed: true or false/,
    );
  });
});

test('a storm on paths without pages costs no page, and nothing is purged', async () => {
  const server = numbered(FRESH);
  await server.get('/p');
  const purges: unknown[] = [];
  const note = (purge: unknown): unknown => purges.push(purge);
  subscribe('ng-ssr:purge', note);
  for (let i = 0; i < 50_000; i++) answered(server, `/api/items/${i}`);
  expect(purges).toEqual([]);
  expect(await isInvalidated(server, '/p')).toBe(false);
  answered(server, '/p');
  expect(purges).toEqual([{ path: '/p', hard: true, isRemote: false }]);
  unsubscribe('ng-ssr:purge', note);
});

describe('with a shared store', () => {
  function processes(count: number, shelf = new Shelf()): StoredServer[] {
    return Array.from({ length: count }, () =>
      numbered(FRESH, { features: [withSharedStore(shelf.open(), { buildId: 'build' })] }),
    );
  }

  test('pages are gone in every process, also those that only the store has', async () => {
    const shelf = new Shelf();
    const [one, other, third] = processes(3, shelf) as [StoredServer, StoredServer, StoredServer];
    await one.get('/p');
    expect(await isInvalidated(other, '/p')).toBe(false);
    answered(third, '/p');
    while (shelf.calls['purge'] === undefined || shelf.purges.length === 0) await turn();
    for (const { handler } of [one, other, third]) {
      expect(handler.cache.inspect().pages).toEqual([]);
    }
    for (const server of [one, other, third]) await server.get('/p');
    // One has rendered it again, for all.
    expect(one.requests.length + other.requests.length + third.requests.length).toBe(2);
  });

  test('a store that fails is reported once, and the memory is without the page all the same', async () => {
    const store = new Shelf().open();
    const server = numbered(FRESH, {
      features: [withSharedStore({ ...store, purge: () => Promise.reject(new Error('away')) })],
    });
    await server.get('/p');
    for (let i = 0; i < 10; i++) answered(server, '/p');
    await expect
      .poll(() => server.errors.map(({ message }) => message))
      .toContainEqual(expect.stringContaining('did not confirm that a page was removed'));
    await turn();
    // A busy machine may have found the store late for the page, too.
    const reported = server.errors.filter(
      ({ cause }) => (cause as { code?: string }).code !== 'NG_SSR_DEADLINE_PASSED',
    );
    expect(reported.map(({ code }) => code)).toEqual(['NG_SSR_STORE_UNAVAILABLE']);
  });

  test('a storm while the store hangs is bounded', async () => {
    let asked = 0;
    const hung = new Promise<never>(() => undefined);
    const server = numbered(FRESH, {
      features: [withSharedStore({ ...new Shelf().open(), invalidate: () => (asked++, hung) })],
    });
    for (let i = 0; i < 50_000; i++) answered(server, `/api/items/${i}`);
    await turn();
    expect(asked).toBeLessThanOrEqual(1000);
    expect(server.errors.map(({ code }) => code)).toEqual(['NG_SSR_STORE_UNAVAILABLE']);
  });
});
