import type { IncomingMessage, ServerResponse } from 'node:http';
import { type RouteRule, withCalls } from '@ng-ssr/core';
import { beforeAll, expect, it } from 'vitest';
import { storedServer, type StoredServer } from '../../pages/stored-server.ts';
import { type Api, startApi } from './api.ts';

let api: Api;
let held: ServerResponse[] = [];

beforeAll(async () => {
  api = await startApi((request, response) => answer(request, response));
});

/** Answers with the Cache-Control of its query; a path of /held waits. */
function answer(request: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(request.url!, 'http://api');
  response.setHeader('cache-control', searchParams.get('cc') ?? '').setHeader('cache-tag', 'news');
  if (pathname === '/lost') return void response.destroy();
  if (pathname === '/held') return void held.push(response);
  response.end('x');
}

/** A server with one route, whose pages make these calls. */
function server(rule: RouteRule, calls: readonly string[], cacheControl?: string): StoredServer {
  return storedServer(
    async (request, count) => {
      for (const call of calls) await fetch(api.origin + call).catch(() => undefined);
      const headers = {
        'content-type': 'text/html',
        ...(cacheControl !== undefined && { 'cache-control': cacheControl }),
      };
      return new Response(`render ${count} for ${request.headers.get('cookie')}`, { headers });
    },
    { routeRules: { '/**': rule }, features: [withCalls({ '**': { cache: 'shared' } })] },
  );
}

const cc = (value: string): string => `/data?cc=${encodeURIComponent(value)}`;

const ROWS: readonly {
  readonly title: string;
  readonly rule?: RouteRule;
  readonly calls: readonly string[];
  readonly own?: string;
  /** Seconds in the page's s-maxage, at most; undefined if it is not stored. */
  readonly seconds?: number;
  readonly detail?: string;
}[] = [
  { title: 'the lifetime of its call', calls: [cc('max-age=60')], seconds: 60 },
  {
    title: 'that of the call that expires first',
    calls: [cc('max-age=600'), cc('max-age=30'), cc('max-age=60')],
    seconds: 30,
  },
  {
    title: 'sMaxAge, if that is less',
    rule: { freshness: 'calls', sMaxAge: 10 },
    calls: [cc('max-age=60')],
    seconds: 10,
  },
  {
    title: 'that of its call, if sMaxAge is more',
    rule: { freshness: 'calls', sMaxAge: 1000 },
    calls: [cc('max-age=60')],
    seconds: 60,
  },
  {
    title: 'none: a call may not be stored',
    calls: [cc('max-age=60'), cc('no-store')],
    detail: 'calls',
  },
  {
    title: 'none: a call has failed',
    rule: { freshness: 'calls', staleWhileRevalidate: 60 },
    calls: [cc('max-age=60'), '/lost'],
    detail: 'calls',
  },
  {
    title: 'none: the page forbids it',
    calls: [cc('max-age=60')],
    own: 'no-store',
    detail: 'no-store',
  },
  { title: 'its own, without calls', calls: [], own: 's-maxage=77', seconds: 77 },
  {
    title: 'sMaxAge, without calls',
    rule: { freshness: 'calls', sMaxAge: 8 },
    calls: [],
    seconds: 8,
  },
  { title: 'none, without calls and without its own', calls: [], detail: 'no-freshness' },
];

it.each(ROWS)("freshness: 'calls' is $title", async (row) => {
  const { rule = { freshness: 'calls' }, calls, own, seconds, detail } = row;
  const { get } = server(rule, calls, own);
  const first = await get('/p', { cookie: 'user=ann' });
  // The route is shared: the page has seen no cookie.
  expect(first.text).toBe('render 1 for null');
  expect(first.cache).toBe(
    `fwd=uri-miss; ${seconds === undefined ? `detail=${detail}` : 'stored'}`,
  );
  expect((await get('/p')).isHit).toBe(seconds !== undefined);
  if (seconds === undefined) return;
  const shown = Number(/s-maxage=(\d+)/.exec(first.header('cache-control')!)![1]);
  expect(shown).toBeLessThanOrEqual(seconds);
  expect(shown).toBeGreaterThan(seconds - 5);
});

it('a page that is not shared varies by the headers that its calls get', async () => {
  const { get } = storedServer(
    async (_request, count) => {
      await fetch(`${api.origin}${cc('max-age=60')}`, { credentials: 'include' });
      return new Response(`render ${count}`, {
        headers: { 'content-type': 'text/html', 'cache-control': 's-maxage=60' },
      });
    },
    {
      features: [
        withCalls({ '**': { cache: 'shared', forward: ['accept-language', 'x-session'] } }),
      ],
    },
  );
  const ask = async (headers: Record<string, string>): Promise<string> =>
    (await get('/p', headers)).text;
  expect(await ask({ 'accept-language': 'de' })).toBe('render 1');
  expect(await ask({ 'accept-language': 'en' })).toBe('render 2');
  expect(await ask({ 'accept-language': 'de' })).toBe('render 1');
  // The first had no such header, and is not for a client that has one.
  expect(await ask({ 'accept-language': 'de', 'x-session': 'ann' })).toBe('render 3');
  expect((await get('/p')).header('vary')).toContain('accept-language, x-session');
});

it('requests that wait for a page of a call that may not be stored all get it, unless a purge came between', async () => {
  held = [];
  const { get, handler, requests } = server({ freshness: 'calls' }, ['/held?cc=max-age%3D0']);
  const before = api.asked.length;
  const first = [get('/p'), get('/p')];
  await api.arrived(before + 1);
  await handler.cache.purge({ tag: 'news', hard: true });
  const second = get('/p');
  held.pop()!.end('old');
  expect((await Promise.all(first)).map(({ text }) => text)).toEqual([
    'render 1 for null',
    'render 1 for null',
  ]);
  await api.arrived(before + 2);
  held.pop()!.end('new');
  expect((await second).text).toBe('render 2 for null');
  expect(requests.length).toBe(2);
});

it('requests that wait for a page of a call for one client alone do not get it', async () => {
  held = [];
  const { get } = server({ freshness: 'calls' }, ['/held?cc=private']);
  const before = api.asked.length;
  const all = [get('/p'), get('/p'), get('/p')];
  await api.arrived(before + 1);
  held.pop()!.end();
  // None of the others waits for another one now.
  await api.arrived(before + 3);
  for (const response of held) response.end();
  const texts = (await Promise.all(all)).map(({ text }) => text);
  expect(texts.toSorted()).toEqual([1, 2, 3].map((count) => `render ${count} for null`));
});

it.each([
  [{ freshness: 'pages' }, [withCalls({})], 'freshness is "pages"', "'calls'"],
  [{ freshness: 'calls' }, [], 'freshness is "calls"', 'only with withCalls() in features'],
  [{ lifetime: 'calls' }, [withCalls({})], 'lifetime has another name', "write freshness: 'calls'"],
])('%s with the features %j is refused', (rule, features, wrong, advice) => {
  const routeRules = { '/p': rule as RouteRule };
  const create = (): unknown => storedServer(() => null, { routeRules, features });
  expect(create).toThrow(`routeRules["/p"].${wrong}`);
  expect(create).toThrow(advice);
});
