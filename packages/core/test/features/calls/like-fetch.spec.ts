import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type CallEvent, channelOf, type CallRules, withCalls } from '@ng-ssr/core';
import { afterEach, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { html, storedServer, type StoredServer } from '../../pages/stored-server.ts';
import { type Api, startApi } from './api.ts';

let api: Api;
let seen: string[] = [];

/** `/moved` leads to `/end` with the status of its query; `/hung` never answers. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url!, 'http://api');
  if (pathname === '/hung') return;
  const content = await text(request);
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  seen.push(`${request.method} ${pathname} ${length ?? encoding} ${content.length}`);
  if (pathname !== '/moved') return void response.setHeader('x-length', 'yes').end('arrived');
  response.writeHead(Number(searchParams.get('status')), { location: '/end' }).end();
}

beforeAll(async () => {
  api = await startApi((request, response) => void answer(request, response));
});

afterEach(() => {
  seen = [];
  vi.restoreAllMocks();
});

/** What a page returns after its calls. */
async function inPage<T>(run: () => Promise<T>, server?: StoredServer): Promise<T> {
  let outcome: T | undefined;
  pages.push(async () => void (outcome = await run()));
  const { text: page } = await (server ?? pageServer()).get(`/page/${pages.length}`);
  expect(page).toContain('made');
  return outcome as T;
}

const pages: (() => Promise<void>)[] = [];

function pageServer(calls: CallRules = { '**': {} }): StoredServer {
  const page = async (): Promise<Response> => {
    await pages.at(-1)!();
    return html('made', {});
  };
  return storedServer(page, { features: [withCalls(calls)] });
}

function form(): FormData {
  const headers = new FormData();
  headers.append('a', 'b');
  return headers;
}

it.each<[string, () => BodyInit, number]>([
  ['text', () => 'größe', 7],
  ['URLSearchParams', () => new URLSearchParams({ a: 'b' }), 3],
  ['FormData', form, 121],
  ['a Blob', () => new Blob(['abc']), 3],
  ['bytes', () => new Uint8Array(5), 5],
  ['a view', () => new DataView(new ArrayBuffer(9), 2, 4), 4],
  ['a buffer', () => new ArrayBuffer(6), 6],
])('%s is sent with its length, and again after a 307', async (_name, toBody, length) => {
  const url = `${api.origin}/moved?status=307`;
  await inPage(async () => {
    const direct = await fetch(url, { method: 'PUT', body: toBody() });
    const request = new Request(url, { method: 'PUT', body: toBody() });
    const byRequest = await fetch(request);
    expect(request.bodyUsed).toBe(true);
    for (const response of [direct, byRequest]) expect(await response.text()).toBe('arrived');
  });
  const both = ['moved', 'end'].map((path) => `PUT /${path} ${length}`);
  const shown = seen.map((line) => line.split(' ').slice(0, 3).join(' '));
  expect(shown).toEqual([...both, ...both]);
});

it('a stream is sent in chunks, and not after a 307', async () => {
  const stream = (): RequestInit =>
    ({ method: 'PUT', body: new Blob(['abc']).stream(), duplex: 'half' }) as RequestInit;
  await inPage(async () => {
    const direct = await fetch(`${api.origin}/end`, stream());
    expect(await direct.text()).toBe('arrived');
    const request = new Request(`${api.origin}/moved?status=307`, stream());
    await expect(fetch(request)).rejects.toThrow('a stream, cannot be sent again');
  });
  expect(seen).toEqual(['PUT /end chunked 3', 'PUT /moved chunked 3']);
});

it('a response and its copies have the URL of their redirects, and headers that do not change', async () => {
  await inPage(async () => {
    const response = await fetch(`${api.origin}/moved?status=302`);
    const copy = response.clone();
    for (const each of [response, copy, copy.clone()]) {
      const { url, redirected, type, status } = each;
      expect([url, redirected, type, status]).toEqual([`${api.origin}/end`, true, 'basic', 200]);
      expect(() => each.headers.set('x-own', '1')).toThrow(TypeError);
      expect(await each.text()).toBe('arrived');
    }
    expect(Object.keys(response)).toEqual([]);
  });
});

it('the second argument may be a Request', async () => {
  await inPage(async () => {
    const init = new Request('http://init.example/', { method: 'POST', body: 'abc' });
    await fetch(`${api.origin}/end`, init as RequestInit);
  });
  expect(seen).toEqual(['POST /end chunked 3']);
});

it.each<[string, () => unknown, string]>([
  ['null', () => null, 'GET'],
  ['an object of another prototype', () => Object.create({ method: 'PUT' }), 'PUT'],
  [
    'a member that is not listed',
    () => Object.defineProperty({}, 'method', { value: 'PUT' }),
    'PUT',
  ],
  [
    'headers that can be read once',
    () => ({ headers: [['a', 'b']].values(), method: 'HEAD' }),
    'HEAD',
  ],
  ['a member named __proto__', () => JSON.parse('{ "__proto__": 1, "method": "PUT" }'), 'PUT'],
  ['a method in lower case', () => ({ method: 'get', signal: null }), 'GET'],
])('the init may be of any kind: %s', async (_name, toInit, method) => {
  await inPage(async () => {
    const response = await fetch(`${api.origin}/end`, toInit() as RequestInit);
    expect(response.status).toBe(200);
  });
  expect(seen.map((line) => line.split(' ')[0])).toEqual([method]);
});

it.each<[string, unknown[]]>([
  ['no argument', []],
  ['a URL that is none', ['http://[']],
  ['credentials in the URL', ['http://a:b@127.0.0.1/']],
  ['a method that is none', ['/x', { method: 'a b' }]],
  ['a forbidden method', ['/x', { method: 'CONNECT' }]],
  ['a GET with content', ['/x', { body: 'x' }]],
  ['a signal that is none', ['/x', { signal: {} }]],
  ['an init that is no object', ['/x', 5]],
  ['a redirect mode that is none', ['/x', { redirect: 'never' }]],
  ['a header that is none', ['/x', { headers: { 'a b': '1' } }]],
  ['a value that is none', ['/x', { headers: { a: 'x\r\ny: z' } }]],
  ['a stream without duplex', ['/x', { method: 'PUT', body: new ReadableStream() }]],
])('%s is a TypeError', async (_name, args) => {
  await inPage(async () => {
    const call = fetch as (...args: unknown[]) => Promise<Response>;
    await expect(call(...args)).rejects.toThrow(TypeError);
  });
  expect(seen).toEqual([]);
});

it('options that no runtime knows do not matter', async () => {
  const server = pageServer({ '/api/**': { inProcess: true } });
  server.handler.useRoutes(({ url, headers }) => {
    return new Response(`${url.pathname} ${headers.get('accept')}`);
  });
  await inPage(async () => {
    const init = { next: { revalidate: 3 }, timeout: 5 } as RequestInit;
    expect(await (await fetch('/api/a', init)).text()).toBe('/api/a */*');
  }, server);
});

it('the length of a response is known, also without its content', async () => {
  await inPage(async () => {
    const { headers } = await fetch(`${api.origin}/end`, { method: 'HEAD' });
    expect(headers.get('x-length')).toBe('yes');
    const response = await fetch(`${api.origin}/end`);
    expect(response.headers.get('content-length')).toBe('7');
  });
});

it('a stream is cancelled if its call has been aborted before', async () => {
  await inPage(async () => {
    let reason: unknown;
    const body = new ReadableStream({ cancel: (given) => void (reason = given) });
    const init = { method: 'PUT', body, duplex: 'half', signal: AbortSignal.abort('gone') };
    await expect(fetch(api.origin, init as RequestInit)).rejects.toBe('gone');
    expect(reason).toBe('gone');
  });
});

const CONTENT = 'content '.repeat(50);
const GZIP = gzipSync(CONTENT);

it.each<[string, string, Uint8Array<ArrayBuffer>, string]>([
  ['deflate', 'deflate', deflateSync(CONTENT), CONTENT],
  ['raw deflate', 'deflate', deflateRawSync(CONTENT), CONTENT],
  ['gzip without its end', 'gzip', GZIP.subarray(0, -6), CONTENT],
  ['two encodings', 'deflate, gzip', gzipSync(deflateRawSync(CONTENT)), CONTENT],
  ['an encoding that is not known', 'own', Buffer.from('own'), 'own'],
  ['no content', 'br', new Uint8Array(), ''],
])('decodes in process: %s', async (_name, encoding, content, expected) => {
  const server = pageServer({ '/api/**': { inProcess: true } });
  const isStream = [true, false];
  server.handler.useRoutes(() => ({
    ...{ status: 200, statusText: '', headers: new Headers({ 'content-encoding': encoding }) },
    body: isStream.pop() === true ? new Blob([content]).stream() : content,
  }));
  await inPage(async () => {
    expect(await (await fetch('/api/a')).text()).toBe(expected);
    expect(await (await fetch('/api/a')).text()).toBe(expected);
  }, server);
});

it('what cannot be decoded in process fails the call', async () => {
  const server = pageServer({ '/api/**': { inProcess: true } });
  let encoding = 'gzip';
  server.handler.useRoutes(() => ({
    ...{ status: 200, statusText: '', headers: new Headers({ 'content-encoding': encoding }) },
    body: Buffer.from('not encoded'),
  }));
  await inPage(async () => {
    const response = await fetch('/api/a');
    await expect(response.text()).rejects.toMatchObject({ code: 'NG_SSR_CALL_FAILED' });
    encoding = Array.from({ length: 6 }, () => 'gzip').join();
    await expect(fetch('/api/a')).rejects.toMatchObject({ code: 'NG_SSR_CALL_FAILED' });
  }, server);
});

it('a call with keepalive ends after its render, within 30 seconds', async () => {
  const ended: CallEvent[] = [];
  const listener = (event: CallEvent): void => void ended.push(event);
  channelOf('ng-ssr:call').subscribe(listener);
  onTestFinished(() => channelOf('ng-ssr:call').unsubscribe(listener));
  const before = api.asked.length;
  let call: Promise<unknown> | undefined;
  const timers = vi.spyOn(globalThis, 'setTimeout');
  await inPage(async () => {
    call = fetch(`${api.origin}/hung`, { keepalive: true }).catch((error: unknown) => error);
  });
  expect(ended).toEqual([]);
  await api.arrived(before + 1);
  const left = once(api.asked.at(-1)!.socket, 'close');
  // One of them is the deadline of the render; the call has what its render has left of that time.
  for (const [expire, delayMs] of timers.mock.calls) {
    if (delayMs! > 20_000 && delayMs! <= 30_000) expire();
  }
  expect(await call).toMatchObject({ code: 'NG_SSR_CALL_TIMEOUT' });
  await left;
  expect(ended.map(({ error }) => error)).toEqual(['NG_SSR_CALL_TIMEOUT']);
});
