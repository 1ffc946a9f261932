import { type CallRule, type SsrOptions, withSharedStore } from '@ng-ssr/core';
import { beforeAll, expect, it } from 'vitest';
import { Shelf } from '../shared-store/fake-page-store.ts';
import { type Api, startApi } from './api.ts';
import { callingServer } from './calling-server.ts';

let api: Api;
let count = 0;

beforeAll(async () => {
  api = await startApi((request, response) => {
    response.setHeader('cache-control', 'max-age=60');
    if (request.url!.startsWith('/tagged')) {
      response.setHeader('cache-tag', 'a, b').setHeader('surrogate-key', 'c d,e');
    }
    response.end(request.url!.startsWith('/large') ? 'x'.repeat(9000) : `answer ${++count}`);
  });
});

let urls = 0;
const newUrl = (path = '/tagged'): string => `${api.origin}${path}/${++urls}`;

const RULE: CallRule = { cache: 'shared', tags: ({ pathname }) => ['f', `url:${pathname}`] };

it.each(['a', 'b', 'c', 'd,e', 'f'])('a purge of the tag %s reaches the call', async (tag) => {
  const { server, call } = callingServer({ '**': RULE });
  const url = newUrl();
  await call(url);
  expect((await call(url)).result).toBe('hit');
  await server.handler.cache.purge({ tag });
  expect((await call(url)).result).toBe('miss');
});

it.each([
  [{ tag: 'other' }, 'hit'],
  [{ path: '/tagged' }, 'hit'],
  [{ prefix: '/tag' }, 'hit'],
  [{ prefix: '/http' }, 'hit'],
  [{ prefix: '/ ', hard: true }, 'hit'],
  [{ prefix: '/%20http' }, 'hit'],
  [{ prefix: '/' }, 'miss'],
] as const)('after the purge %j a call is a %s', async (purge, result) => {
  const { server, call } = callingServer({ '**': RULE });
  const url = newUrl();
  await call(url);
  await server.handler.cache.purge(purge);
  expect((await call(url)).result).toBe(result);
});

it('the path of a call is no path that a purge can name', async () => {
  const { server, call } = callingServer({ '**': RULE });
  const url = newUrl();
  await call(url);
  await server.handler.cache.purge({ path: `/ ${url}`, hard: true });
  expect((await call(url)).result).toBe('hit');
});

it('with cache: false calls are stored in memory, and purged', async () => {
  const { server, call } = callingServer({ '**': RULE }, { cache: false });
  const url = newUrl();
  await call(url);
  expect((await call(url)).result).toBe('hit');
  await server.handler.cache.purge({ tag: 'f' });
  expect((await call(url)).result).toBe('miss');
});

it.each<[string, () => unknown]>([
  [
    'throws',
    () => {
      throw new Error('cracked');
    },
  ],
  ['returns a text', () => 'a'],
  ['returns a tag with a space', () => ['a b']],
  ['returns a promise', () => Promise.resolve([])],
])('a call whose tags function %s fails, and is not sent', async (_title, tags) => {
  const { call } = callingServer({ '**': { tags: tags as () => string[] } });
  const before = api.asked.length;
  const { error } = await call(newUrl());
  expect(error).toContain('has no tags: tags of **');
  expect(api.asked.length).toBe(before);
});

it('maxBytes bounds the memory: the least recently used are dropped', async () => {
  const { call } = callingServer({ '**': RULE }, {}, { maxBytes: 40_000 });
  const [first, ...others] = Array.from({ length: 5 }, () => newUrl('/large'));
  for (const url of [first!, ...others]) await call(url);
  expect((await call(others.at(-1)!)).result).toBe('hit');
  expect((await call(first!)).result).toBe('miss');
});

/** Two servers that share a store. */
function two(shelf: Shelf, options: Partial<SsrOptions> = {}): ReturnType<typeof callingServer>[] {
  return [1, 2].map(() =>
    callingServer(
      { '**': RULE },
      { features: [withSharedStore(shelf.open(), { buildId: 'b' })], ...options },
    ),
  );
}

it('a call of another process comes from the shared store, until it is purged there', async () => {
  const shelf = new Shelf();
  const [one, other] = two(shelf);
  const url = newUrl();
  const { text } = await one!.call(url);
  await expect.poll(() => shelf.entries.size).toBe(1);
  const again = await other!.call(url);
  expect([again.text, again.result]).toEqual([text, 'hit']);
  expect([...shelf.entries.keys()][0]).toMatch(/^b\ncall\nhttp:\/\/localhost http:/);
  await one!.server.handler.cache.purge({ tag: 'f' });
  expect((await other!.call(url)).text).not.toBe(text);
});

it('environments that share a store do not share calls: pages of other hosts ask the API themselves', async () => {
  const shelf = new Shelf();
  const [staging, production] = two(shelf);
  const url = newUrl();
  const { text } = await staging!.call(url, {}, { host: 'other.example' });
  await expect.poll(() => shelf.entries.size).toBe(1);
  expect((await production!.call(url)).text).not.toBe(text);
  expect((await staging!.call(url, {}, { host: 'other.example' })).text).toBe(text);
});

it('an unsafe call of one process removes the stored response of all', async () => {
  const shelf = new Shelf();
  const [one, other] = two(shelf);
  const url = newUrl();
  const { text } = await one!.call(url);
  await expect.poll(() => shelf.entries.size).toBe(1);
  await other!.call(`${url}?page=2`);
  await other!.call(url);
  await one!.call(url, { method: 'POST' });
  await expect.poll(async () => (await other!.call(url)).text).not.toBe(text);
});

it('a store that fails costs no call', async () => {
  const store = new Shelf().open();
  const broken = { ...store, get: () => Promise.reject(new Error('away')) };
  const { server, call } = callingServer({ '**': RULE }, { features: [withSharedStore(broken)] });
  const url = newUrl();
  expect((await call(url)).result).toBe('miss');
  expect((await call(url)).result).toBe('hit');
  expect(server.errors.map(({ code }) => code)).toEqual(['NG_SSR_STORE_UNAVAILABLE']);
});
