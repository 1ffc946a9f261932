import { type CallRules, type RouteRule, withCalls } from '@ng-ssr/core';
import { beforeAll, expect, it } from 'vitest';
import { storedServer, type StoredServer } from '../../pages/stored-server.ts';
import { type Api, startApi } from './api.ts';
import { usePagesAsRoutes } from './pages-as-routes.ts';

let api: Api;

/** Answers with the headers of its query; `to` redirects. */
beforeAll(async () => {
  api = await startApi((request, response) => {
    const { searchParams } = new URL(request.url!, 'http://api');
    const to = searchParams.get('to');
    for (const [name, value] of searchParams) if (name !== 'to') response.setHeader(name, value);
    if (to === null) response.end('x');
    else response.writeHead(Number(searchParams.get('x-status') ?? 302), { location: to }).end();
  });
});

const FRESH = 'cache-control=max-age%3D60';
const redirect = (query: string, to: string): string =>
  `/first?${query}&to=${encodeURIComponent(to)}`;

/** A server whose page `/p` makes one call, and its page `/inner` another. */
function pages(call: string, calls: CallRules, rule: RouteRule = {}): StoredServer {
  const server = storedServer(
    async (request, count) => {
      const isInner = new URL(request.url).pathname === '/inner';
      const response = await fetch(isInner ? `${api.origin}/target?${FRESH}` : call);
      const text = `render ${count}, ${await response.text()}`;
      return new Response(text, { headers: { 'content-type': 'text/html' } });
    },
    {
      features: [withCalls(calls)],
      routeRules: { '/p': rule, '/inner': { sMaxAge: 60, staleWhileRevalidate: 60 } },
    },
  );
  usePagesAsRoutes(server);
  return server;
}

const origin = (): string => api.origin;
const OWN = 'http://localhost';

/** Where the tag `second` comes from. */
const TAGGED: Record<string, () => { readonly call: string; readonly calls: CallRules }> = {
  'the rule of the second hop': () => ({
    call: origin() + redirect(FRESH, `/target?${FRESH}`),
    calls: { [`${origin()}/target`]: { tags: ['second'] } },
  }),
  'the rule of the second hop, both stored': () => ({
    call: origin() + redirect(FRESH, `/target?${FRESH}`),
    calls: {
      [`${origin()}/target`]: { cache: 'shared', tags: ['second'] },
      '**': { cache: 'shared' },
    },
  }),
  'the response of the first hop': () => ({
    call: origin() + redirect(`${FRESH}&cache-tag=second`, `/target?${FRESH}`),
    calls: { '**': { cache: 'shared' } },
  }),
  'a call of a page that is called in process': () => ({
    call: `${OWN}/inner`,
    calls: { '/inner': { inProcess: true }, '**': { tags: ['second'] } },
  }),
  'a call of a page in process, all stored': () => ({
    call: `${OWN}/inner`,
    calls: {
      '/inner': { inProcess: true, cache: 'shared' },
      '**': { tags: ['second'], cache: 'shared' },
    },
  }),
};

it.each(Object.keys(TAGGED))('a purge reaches a page by the tag of %s', async (name) => {
  const { call, calls } = TAGGED[name]!();
  const server = pages(call, calls, { sMaxAge: 60 });
  // The second time what it is made of may come out of a store.
  for (let round = 0; round < 2; round++) {
    const { cache, text } = await server.get('/p');
    expect(cache).toContain('stored');
    expect((await server.get('/p')).isHit).toBe(true);
    await server.handler.cache.purge({ tag: 'second', hard: true });
    expect((await server.get('/p')).text).not.toBe(text);
    await server.handler.cache.purge({ path: '/p', hard: true });
  }
});

it.each([
  ['a 302 without freshness', () => redirect('', `/target?${FRESH}`), undefined],
  ['a 302 that is fresh', () => redirect(FRESH, `/target?${FRESH}`), 60],
  [
    'a 302 that is fresh for a shorter time',
    () => redirect('cache-control=max-age%3D7', `/target?${FRESH}`),
    7,
  ],
  ['a 301 without freshness', () => redirect('x-status=301', `/target?${FRESH}`), undefined],
  ['a target without freshness', () => redirect(FRESH, '/target'), undefined],
])("freshness: 'calls' after %s", async (_title, call, seconds) => {
  for (const rule of [{}, { cache: 'shared' } as const]) {
    const server = pages(origin() + call(), { '**': rule }, { freshness: 'calls' });
    const page = await server.get('/p');
    expect(page.cache).toContain(seconds === undefined ? 'detail=calls' : 'stored');
    if (seconds === undefined) continue;
    const shown = Number(/s-maxage=(\d+)/.exec(page.header('cache-control')!)![1]);
    expect(shown).toBeLessThanOrEqual(seconds);
    expect(shown).toBeGreaterThan(seconds - 5);
  }
});

it("freshness: 'calls' after a page in process that was purged, and is used while it is rendered again", async () => {
  const calls = { '/inner': { inProcess: true }, '**': { tags: ['second'] } };
  const server = pages(`${OWN}/inner`, calls, { freshness: 'calls' });
  await server.get('/inner');
  await server.handler.cache.purge({ tag: 'second' });
  const page = await server.get('/p');
  expect(page.text).toContain('render 1');
  expect(page.cache).toContain('detail=calls');
});
