import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type CallRule, type CallRules, withCalls } from '@ng-ssr/core';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { html, storedServer } from '../../pages/stored-server.ts';
import { type Api, startApi } from './api.ts';

interface Seen {
  readonly target: string;
  readonly headers: Record<string, string>;
  readonly content: string;
}

let api: Api;
let other: Api;
let seen: Seen[] = [];

const NAMES = ['authorization', 'cookie', 'content-type', 'x-tenant', 'x-own'];

/** Redirects to `to` of the query with the status of the path. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url!, 'http://api');
  const content = await text(request);
  const headers = Object.entries(request.headers).filter(([name]) => NAMES.includes(name));
  const target = `${request.method} ${pathname}`;
  seen.push({ target, headers: Object.fromEntries(headers) as Record<string, string>, content });
  const to = searchParams.get('to');
  if (to === null) return void response.end('arrived');
  response.writeHead(Number(pathname.slice(1)), { location: Buffer.from(to).toString('latin1') });
  response.end('moved');
}

beforeAll(async () => {
  [api, other] = await Promise.all([startApi(answer), startApi(answer)]);
});

beforeEach(() => {
  seen = [];
});

const HEADERS = { cookie: 'user=ann', 'x-tenant': 'shop' };

/** What a page gets for a call. */
async function call(
  calls: CallRules,
  path: string,
  init?: RequestInit,
): Promise<{ text: string; codes: string[] }> {
  const server = storedServer(
    async () => {
      try {
        const response = await fetch(api.origin + path, init);
        const { status, redirected, url } = response;
        return html(`${status} ${redirected} ${url} ${await response.text()}`, {});
      } catch (error) {
        const { code, cause } = error as { code?: string; cause?: unknown };
        return html(`${code} ${String(error)}; cause: ${String(cause)}`, {});
      }
    },
    { features: [withCalls(calls)] },
  );
  const page = await server.get('/p', HEADERS);
  const codes = server.errors.map(({ code }) => code);
  return { text: page.text.replace('<!doctype html><p>', '').replace('</p>', ''), codes };
}

const redirectTo = (to: string, status = 302): string => `/${status}?to=${encodeURIComponent(to)}`;

const FORWARD: CallRule = { forward: ['cookie', 'x-tenant'] };
const INCLUDED: RequestInit = { credentials: 'include' };

it('another origin gets no forwarded headers, unless its own rule forwards them, and no credentials', async () => {
  const init = { ...INCLUDED, headers: { authorization: 'Bearer own', 'x-own': '1' } };
  await call({ [`${api.origin}/**`]: FORWARD }, redirectTo(`${other.origin}/end`), init);
  await call({ '**': FORWARD }, redirectTo(`${other.origin}/end`), init);
  expect(seen.map(({ headers }) => headers)).toEqual([
    { ...HEADERS, ...init.headers },
    { 'x-own': '1' },
    { ...HEADERS, ...init.headers },
    { 'x-own': '1', 'x-tenant': 'shop' },
  ]);
});

it('another path of the same origin has the rule of its own', async () => {
  const calls = { [`${api.origin}/302`]: FORWARD, '**': { forward: ['x-tenant'] } };
  await call(calls, redirectTo('/end'), INCLUDED);
  expect(seen.map(({ headers }) => headers)).toEqual([HEADERS, { 'x-tenant': 'shop' }]);
});

it.each([
  [301, 'GET', ''],
  [302, 'GET', ''],
  [303, 'GET', ''],
  [307, 'POST', 'content'],
  [308, 'POST', 'content'],
])('a POST that is redirected with %i becomes a %s', async (status, method, content) => {
  const init = { method: 'POST', body: 'content', headers: { 'content-type': 'text/x' } };
  const got = await call({ '**': {} }, redirectTo('/end#there', status), init);
  expect(got.text).toBe(`200 true ${api.origin}/end arrived`);
  const headers = method === 'POST' ? { 'content-type': 'text/x' } : {};
  expect(seen[1]).toEqual({ target: `${method} /end`, content, headers });
});

it('a path in UTF-8 is one, as in browsers', async () => {
  await call({ '**': {} }, redirectTo('/größe'));
  expect(seen[1]?.target).toBe('GET /gr%C3%B6%C3%9Fe');
});

it('redirect: "manual" returns the redirect, and a status without Location is an answer', async () => {
  const manual = await call({ '**': {} }, redirectTo('/end'), { redirect: 'manual' });
  expect(manual.text).toMatch(/^302 false .* moved$/);
  expect(seen.length).toBe(1);
});

it.each<[string, () => string, RequestInit, string]>([
  ['redirect: "error"', () => redirectTo('/end'), { redirect: 'error' }, 'redirect: "error"'],
  ['a malformed URL', () => redirectTo('http://['), {}, 'malformed URL'],
  ['another scheme', () => redirectTo('ftp://a.example/'), {}, 'cannot be called'],
  ['credentials', () => redirectTo('http://u:p@a.example/'), {}, 'cannot be called'],
])('%s fails', async (_title, path, init, happened) => {
  const got = await call({ '**': {} }, path(), init);
  expect(got.text).toContain('NG_SSR_CALL_FAILED');
  expect(got.text).toContain(happened);
});

it('a stream cannot be sent again', async () => {
  const body = new Blob(['content']).stream();
  const init = { method: 'POST', body, duplex: 'half' } as RequestInit;
  expect((await call({ '**': {} }, redirectTo('/end'), init)).text).toContain('a stream, cannot');
});

it.each<[string, CallRule]>([
  ['as they are', {}],
  ['that calls may join', { dedupe: true }],
  ['that are stored', { cache: { sMaxAge: 60 } }],
  ['that take turns', { concurrency: 1, maxQueued: 0 }],
])('redirects %s that lead to themselves end after 20', async (_title, rule) => {
  const got = await call({ '**': rule }, '/302?to=', { cache: 'no-store' });
  expect(got.text).toContain('redirected more than 20 times');
  expect(seen.length).toBe(21);
});

it('a redirect that is not followed has its reason as the cause', async () => {
  const { text } = await call({}, redirectTo('/200'), { redirect: 'error' });
  expect(text).toContain('cause: Error: was redirected (redirect: "error")');
});
