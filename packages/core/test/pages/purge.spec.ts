import { stress } from '@ng-ssr/conformance/fuzz';
import { expect, it } from 'vitest';
import type { Purge, SsrError } from '@ng-ssr/core';
import { advance, until, useClock } from './clock.ts';
import { html, type Page, storedServer, type StoredServer } from './stored-server.ts';

useClock();

const SHARED = { 'cache-control': 's-maxage=60' };
const SWR = { 'cache-control': 's-maxage=60, stale-while-revalidate=60' };

/** Pages with tags of their own: `/a/1` has `a` and `all`. */
const tagged: Page = (request, count) => {
  const [, tag] = new URL(request.url).pathname.split('/');
  return html(`render ${count}`, { ...SHARED, 'cache-tag': `${tag}, all` });
};

async function fill(server: StoredServer, targets: readonly string[]): Promise<void> {
  for (const target of targets) expect((await server.get(target)).isHit).toBe(false);
}

/** Which of these are still answered from the store. */
async function kept(server: StoredServer, targets: readonly string[]): Promise<string[]> {
  const hits: string[] = [];
  for (const target of targets) {
    const { isHit, text } = await server.get(target);
    if (isHit && !text.includes('anew')) hits.push(target);
  }
  return hits;
}

const TARGETS = ['/a/1', '/a/1?b=2', '/a/2', '/b/1', '/ab', '/'];

it.each<[Purge, readonly string[]]>([
  [{ path: '/a/1' }, ['/a/2', '/b/1', '/ab', '/']],
  [{ path: '/a' }, TARGETS],
  [{ path: '/' }, ['/a/1', '/a/1?b=2', '/a/2', '/b/1', '/ab']],
  [{ prefix: '/a/' }, ['/b/1', '/ab', '/']],
  [{ prefix: '/a' }, ['/b/1', '/']],
  [{ prefix: '/' }, []],
  [{ tag: 'a' }, ['/b/1', '/ab', '/']],
  [{ tag: 'all' }, []],
  [{ tag: 'A' }, TARGETS],
  [{ tag: 'nobody' }, TARGETS],
])('a purge %j leaves all others', async (purge, others) => {
  for (const hard of [false, true]) {
    const server = storedServer(tagged);
    await fill(server, TARGETS);
    await server.handler.cache.purge({ ...purge, hard });
    const pages = server.handler.cache.inspect().pages.filter(({ state }) => state === 'fresh');
    expect(pages.map(({ key }) => key.split('\n')[1]).sort()).toEqual([...others].sort());
    expect(await kept(server, TARGETS)).toEqual(others);
    // What was rendered since is not purged again.
    expect(await kept(server, TARGETS)).toEqual(TARGETS);
  }
});

it('a purge reaches all variants and origins of a path', async () => {
  const server = storedServer((_request, count) =>
    html(`render ${count}`, { ...SHARED, vary: 'x-kind' }),
  );
  const headers = [{ 'x-kind': 'a' }, { 'x-kind': 'b' }, { host: 'other.example' }];
  for (const purge of [{ path: '/p' }, { path: '/p', hard: true }]) {
    for (const one of headers) await server.get('/p', one);
    await server.handler.cache.purge(purge);
    for (const one of headers) expect((await server.get('/p', one)).isHit).toBe(false);
    for (const one of headers) expect((await server.get('/p', one)).isHit).toBe(true);
  }
});

it('a purge names a path in any spelling', async () => {
  for (const path of ['/caf%C3%A9/a', '/caf%c3%a9/%61', '/café/a']) {
    for (const purge of [{ path }, { prefix: path.slice(0, path.lastIndexOf('/') + 1) }]) {
      const server = storedServer(() => html('page', SHARED));
      await server.get('/caf%C3%a9/a');
      await server.handler.cache.purge(purge);
      expect((await server.get('/caf%C3%A9/a')).isHit).toBe(false);
    }
  }
});

it('a purge by tag reaches pages by the tags of their rule', async () => {
  const routeRules = {
    '/r/**': { sMaxAge: 60, tags: ['rule'] },
    '/t/**': { tags: ['only-a-tag'] },
  };
  const server = storedServer((_request, count) => html(`${count}`, SHARED), { routeRules });
  for (const [target, tag] of [
    ['/r/1', 'rule'],
    ['/t/1', 'only-a-tag'],
  ] as const) {
    await server.get(target);
    await server.handler.cache.purge({ tag });
    expect((await server.get(target)).isHit).toBe(false);
  }
});

it('tags are parted by commas and spaces', async () => {
  const server = storedServer(() => html('page', { ...SHARED, 'cache-tag': ' a,b  c ,, a\td' }));
  await server.get('/p');
  expect(server.handler.cache.inspect().pages[0]!.tags).toEqual(['a', 'b', 'c', 'd']);
});

it('a page purged softly is answered while it is re-rendered', async () => {
  const server = storedServer((_request, count) => html(`render ${count}`, SWR));
  await server.get('/p');
  advance(5);
  await server.handler.cache.purge({ path: '/p' });
  advance(3);
  const stale = await server.get('/p');
  expect([stale.text, stale.cache]).toEqual(['<!doctype html><p>render 1</p>', 'hit; ttl=-3']);
  await until(async () => (await server.get('/p')).text.includes('render 2'));
  expect((await server.get('/p')).cache).toBe('hit; ttl=60');
});

it('a page purged softly is answered so for its time only', async () => {
  const server = storedServer((_request, count) => html(`render ${count}`, SWR));
  await server.get('/p');
  await server.handler.cache.purge({ path: '/p' });
  advance(60);
  expect((await server.get('/p')).cache).toBe('fwd=stale; stored');
});

it('a page that is stale already is no fresher after a soft purge', async () => {
  const server = storedServer((_request, count) => html(`render ${count}`, SWR));
  await server.get('/p');
  advance(100);
  await server.handler.cache.purge({ path: '/p' });
  advance(20);
  expect((await server.get('/p')).cache).toBe('fwd=stale; stored');
});

it('a page purged hard is gone at once, also for requests that accept a stale page', async () => {
  const server = storedServer((_request, count) => {
    if (count === 2) throw new Error('cracked');
    return html(`render ${count}`, { 'cache-control': 's-maxage=60, stale-if-error=60' });
  });
  await server.get('/p');
  await server.handler.cache.purge({ path: '/p', hard: true });
  expect((await server.get('/p')).status).toBe(500);
  expect((await server.get('/p')).cache).toBe('fwd=uri-miss; stored');
});

it('a soft purge does not weaken a hard one, nor the other way round', async () => {
  for (const order of [
    [true, false],
    [false, true],
  ]) {
    const server = storedServer((_request, count) => html(`render ${count}`, SWR));
    await server.get('/p');
    for (const hard of order) await server.handler.cache.purge({ path: '/p', hard });
    expect((await server.get('/p')).cache).toBe('fwd=uri-miss; stored');
  }
  // A page rendered between them is stale.
  const server = storedServer((_request, count) => html(`render ${count}`, SWR));
  await server.handler.cache.purge({ path: '/p', hard: true });
  await server.get('/p');
  await server.handler.cache.purge({ path: '/p' });
  expect((await server.get('/p')).cache).toBe('hit; ttl=0');
});

it.each([false, true])(
  'a page that is purged while it is rendered does not come out fresh (hard: %s)',
  async (hard) => {
    for (const purge of [{ path: '/p' }, { prefix: '/' }, { tag: 'a' }]) {
      const landings: (() => void)[] = [];
      const server = storedServer(async (_request, count) => {
        await new Promise<void>((resolve) => landings.push(resolve));
        return html(`render ${count}`, { ...SWR, 'cache-tag': 'a' });
      });
      const first = server.get('/p');
      await until(() => landings.length === 1);
      await server.handler.cache.purge({ ...purge, hard });
      landings[0]!();
      await first;
      const second = server.get('/p');
      if (!hard) expect((await second).cache).toBe('hit; ttl=0');
      await until(() => landings.length === 2);
      landings[1]!();
      await second;
      await until(async () => (await server.get('/p')).cache === 'hit; ttl=60');
      expect((await server.get('/p')).text).toContain('render 2');
      expect(server.requests).toHaveLength(2);
    }
  },
);

it('requests that wait while a page is purged hard get one that is rendered later', async () => {
  const landings: (() => void)[] = [];
  const server = storedServer(async (_request, count) => {
    await new Promise<void>((resolve) => landings.push(resolve));
    return html(`render ${count}`, SWR);
  });
  const leader = server.get('/p');
  const waiting = [server.get('/p'), server.get('/p')];
  await until(() => landings.length === 1);
  await server.handler.cache.purge({ path: '/p', hard: true });
  landings[0]!();
  await leader;
  await until(() => landings.length === 2);
  landings[1]!();
  for (const { text } of await Promise.all(waiting)) expect(text).toContain('render 2');
});

it('100,000 purges of pages that are not there cost no page', async () => {
  const server = storedServer(tagged);
  await fill(server, TARGETS);
  for (let i = 0; i < 100_000; i++) void server.handler.cache.purge({ tag: `t${i % 9000}` });
  expect(await kept(server, TARGETS)).toEqual(TARGETS);
});

const MANY = stress(20_000);

it(`a purge by tag touches no page: ${MANY} are stale at once`, async () => {
  const server = storedServer((request, count) => tagged(request, count, null), {
    files: { encodings: [] },
  });
  const { cache } = server.handler;
  for (let i = 0; i < MANY; i += 100) {
    await Promise.all(Array.from({ length: 100 }, (_, at) => server.get(`/a/${i + at}`)));
  }
  expect(cache.inspect().count).toBe(MANY);
  // What walks over pages asks each for its tags.
  const { bytes } = cache.inspect();
  let touched = 0;
  const has = Array.prototype[Symbol.iterator];
  Array.prototype[Symbol.iterator] = function (this: unknown[]) {
    touched++;
    return has.call(this);
  } as typeof has;
  try {
    void cache.purge({ tag: 'all' });
  } finally {
    Array.prototype[Symbol.iterator] = has;
  }
  expect(touched).toBeLessThan(100);
  expect(cache.inspect({ limit: 1 })).toMatchObject({ count: MANY, bytes });
  for (const i of [0, MANY / 4, MANY - 1]) expect((await server.get(`/a/${i}`)).isHit).toBe(false);
}, 30_000);

it('10,001 different purges start a new log, and none of them is lost', async () => {
  for (const hard of [false, true]) {
    const server = storedServer(tagged);
    await fill(server, [...TARGETS, '/late']);
    await server.handler.cache.purge({ path: '/a/1', hard });
    await server.handler.cache.purge({ tag: 'b', hard });
    for (let i = 0; i < 10_001; i++) await server.handler.cache.purge({ path: `/none/${i}`, hard });
    await server.handler.cache.purge({ prefix: '/late', hard });
    expect(await kept(server, [...TARGETS, '/late'])).toEqual(['/a/2', '/ab', '/']);
  }
});

it('a page rendered across the log’s new beginning does not come out fresh', async () => {
  let land = (): void => undefined;
  const server = storedServer(async (_request, count) => {
    if (count === 1) await new Promise<void>((resolve) => (land = resolve));
    return html(`render ${count}`, SHARED);
  });
  const first = server.get('/p');
  await until(() => server.requests.length === 1);
  await server.handler.cache.purge({ path: '/p' });
  for (let i = 0; i < 10_001; i++) await server.handler.cache.purge({ tag: `t${i}` });
  land();
  await first;
  expect((await server.get('/p')).text).toContain('render 2');
});

it('inspect() lists the stored pages, the most recently used first', async () => {
  const server = storedServer((request) =>
    new URL(request.url).pathname === '/gone'
      ? html('gone', SHARED, 404)
      : html('page', { ...SWR, 'cache-tag': 'a' }),
  );
  await server.get('/p?a=1');
  advance(10);
  await server.get('/gone');
  await server.get('/p?a=1');
  const { count, bytes, maxBytes, pages } = server.handler.cache.inspect();
  expect([count, maxBytes]).toEqual([2, 256 * 1024 * 1024]);
  expect(pages.map(({ path }) => path)).toEqual(['/p', '/gone']);
  expect(pages[0]).toEqual({
    key: 'http://localhost\n/p?a=1',
    path: '/p',
    status: 200,
    state: 'fresh',
    ageSeconds: 10,
    ttlSeconds: 50,
    tags: ['a'],
    bytes: expect.any(Number) as number,
    encodings: [],
  });
  expect(pages[1]).toMatchObject({ status: 404, tags: [], ageSeconds: 0, ttlSeconds: 60 });
  expect(bytes).toBeGreaterThanOrEqual(pages[0]!.bytes + pages[1]!.bytes);

  const { cache } = server.handler;
  expect(cache.inspect({ prefix: '/g' }).pages.map(({ path }) => path)).toEqual(['/gone']);
  expect(cache.inspect({ limit: 1 }).pages).toHaveLength(1);
  expect(cache.inspect({ limit: 0 }).pages).toEqual([]);
  advance(51);
  expect(cache.inspect().pages.map(({ state }) => state)).toEqual(['stale', 'fresh']);
  advance(60);
  expect(cache.inspect().pages.map(({ state }) => state)).toEqual(['expired', 'expired']);
  await cache.purge({ prefix: '/', hard: true });
  expect(cache.inspect().pages).toEqual([]);
});

it('inspect() brings back no page that is purged', async () => {
  const server = storedServer((_request, count) => html(`render ${count}`, SHARED));
  await server.get('/p');
  await server.handler.cache.purge({ path: '/p', hard: true });
  for (let i = 0; i < 3; i++) expect(server.handler.cache.inspect().pages).toEqual([]);
  expect((await server.get('/p')).text).toContain('render 2');
});

it('inspect() does not change what is used last', async () => {
  const server = storedServer(() => html('x'.repeat(1000), SHARED), {
    cache: { maxBytes: 10_000 },
    files: { encodings: [] },
  });
  for (const target of ['/1', '/2', '/3']) await server.get(target);
  server.handler.cache.inspect();
  await server.get('/4');
  expect(await kept(server, ['/2', '/3', '/4'])).toEqual(['/2', '/3', '/4']);
});

const INVALID: readonly unknown[] = [
  undefined,
  null,
  'all',
  7,
  [],
  {},
  { hard: true },
  { path: '' },
  { path: 'p' },
  { path: null },
  { path: 7 },
  { path: ['/p'] },
  { path: '/p?a=1' },
  { path: '/p#a' },
  { prefix: '/p?' },
  { prefix: 'p' },
  { prefix: '' },
  { tag: '' },
  { tag: 7 },
  { tag: ['a'] },
  { path: '/p', tag: 'a' },
  { path: '/p', prefix: '/p' },
  { tag: 'a', hard: 'yes' },
  { tag: 'a', hard: null },
  { tag: 'a', soft: true },
  { tags: ['a'] },
  { constructor: '/p' },
];

it.each(INVALID.map((purge) => [purge]))('a purge of %j is refused by its value', async (purge) => {
  for (const cache of [{}, false] as const) {
    const server = storedServer(() => html('page', SHARED), { cache });
    await server.get('/p');
    const refused = (async () => server.handler.cache.purge(purge as Purge))();
    const error = await refused.then(
      () => undefined,
      (reason: unknown) => reason as SsrError,
    );
    expect(error).toMatchObject({ code: 'NG_SSR_PURGE_INVALID' });
    expect(error!.message).toContain(String(JSON.stringify(purge)));
    expect(error!.message).toContain('exactly one of path, prefix and tag');
    if (cache !== false) expect((await server.get('/p')).isHit).toBe(true);
  }
});

it('a purge that JSON cannot show is refused as others are', async () => {
  const circular: Record<string, unknown> = { path: '/p' };
  circular['self'] = circular;
  for (const purge of [circular, { path: 7n }, { tag: 'a', hard: Symbol('x') }]) {
    const { cache } = storedServer(() => null).handler;
    const refused = (async () => cache.purge(purge as Purge))();
    await expect(refused).rejects.toMatchObject({ code: 'NG_SSR_PURGE_INVALID' });
  }
});

it('headers that are undefined are none', async () => {
  const server = storedServer(() => html('page', SHARED));
  await server.get('/p');
  await server.handler.cache.purge({ path: '/p', prefix: undefined, tag: undefined });
  expect((await server.get('/p')).isHit).toBe(false);
});
