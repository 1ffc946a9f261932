import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type CallRule, SsrError, withCalls } from '@ng-ssr/core';
import { beforeAll, expect, it } from 'vitest';
import { storedServer, type StoredServer } from '../../pages/stored-server.ts';
import { type Api, startApi } from './api.ts';

let api: Api;
/** Answers that the API still owes. */
let owed: { readonly request: IncomingMessage; readonly response: ServerResponse }[] = [];

beforeAll(async () => {
  api = await startApi((request, response) => {
    owed.push({ request, response });
  });
});

/** A server whose pages call the URL of their path, and show the answer or why there is none. */
interface Pages {
  readonly server: StoredServer;
  /** Aborts the calls of pages with `?abort`. */
  readonly controller: AbortController;
  readonly before: number;
}

let names = 0;

function pages(rule: CallRule, maxWaitMs = 60_000): Pages & { readonly name: string } {
  const controller = new AbortController();
  owed = [];
  const server = storedServer(
    async (request) => {
      const { pathname, searchParams } = new URL(request.url);
      const signal = searchParams.has('abort') ? controller.signal : null;
      const mode = (searchParams.get('mode') ?? 'cors') as Request['mode'];
      const headers = { ...(searchParams.has('token') && { cookie: searchParams.get('token')! }) };
      try {
        const response = await fetch(api.origin + pathname, { signal, headers, mode });
        const cookie = response.headers.get('set-cookie') ?? 'none';
        return page(`${await response.text()}; cookie: ${cookie}`);
      } catch (error) {
        return page(error instanceof SsrError ? `${error.code}: ${error.message}` : String(error));
      }
    },
    { features: [withCalls({ '**': rule })], render: { maxWaitMs, concurrency: 2000 } },
  );
  return { server, controller, before: api.asked.length, name: `/flights/${++names}` };
}

function page(text: string): Response {
  return new Response(text, {
    headers: { 'content-type': 'text/html', 'cache-control': 'no-store' },
  });
}

function answerAll(headers: Record<string, string> = {}): void {
  for (const { response } of owed) response.writeHead(200, headers).end('answer');
  owed = [];
}

it('equal calls of renders are one', async () => {
  const { server, name, before } = pages({ dedupe: true });
  const all = [1, 2, 3, 4].map((number) => server.get(`${name}?${number}`));
  await expect.poll(() => server.requests.length).toBe(4);
  await api.arrived(before + 1);
  await turns();
  answerAll();
  const texts = (await Promise.all(all)).map(({ text }) => text);
  expect(texts).toEqual(Array.from({ length: 4 }, () => 'answer; cookie: none'));
  expect(api.asked.length - before).toBe(1);
});

it.each([
  ['without dedupe', {}],
  ['with cookies', { dedupe: true }],
])('%s each call is its own', async (title, rule) => {
  const { server, name, before } = pages(rule);
  const query = title === 'with cookies' ? 'token=a=1&n' : 'n';
  const all = [1, 2].map((number) => server.get(`${name}?${query}=${number}`));
  await api.arrived(before + 2);
  answerAll();
  await Promise.all(all);
});

it('calls of two modes are two: they follow other redirects', async () => {
  const { server, name, before } = pages({ dedupe: true });
  const all = ['cors', 'same-origin'].map((mode) => server.get(`${name}?mode=${mode}`));
  await api.arrived(before + 2);
  answerAll();
  await Promise.all(all);
});

it('1,000 cold requests of 100 pages that share one call: the API is asked once', async () => {
  const { server, before } = pages({ cache: 'shared' });
  const shared = storedServer(
    async (request) => {
      const response = await fetch(`${api.origin}/crowd`);
      const headers = { 'content-type': 'text/html', 'cache-control': 's-maxage=60' };
      return new Response(new URL(request.url).pathname + (await response.text()), { headers });
    },
    { features: [withCalls({ '**': { cache: 'shared' } })], render: { concurrency: 2000 } },
  );
  const all = Array.from({ length: 1000 }, (_, i) => shared.get(`/${i % 100}`));
  await api.arrived(before + 1);
  answerAll({ 'cache-control': 'max-age=60' });
  const seen = await Promise.all(all);
  expect(seen.every(({ text }, i) => text === `/${i % 100}answer`)).toBe(true);
  expect(api.asked.length - before).toBe(1);
  await server.handler.close();
});

it("a caller's abort ends only its own wait", async () => {
  const { server, name, before, controller } = pages({ dedupe: true });
  const leader = server.get(`${name}?abort`);
  await api.arrived(before + 1);
  const other = server.get(`${name}?other`);
  await turns();
  controller.abort(new Error('not wanted'));
  expect((await leader).text).toContain('not wanted');
  answerAll();
  expect((await other).text).toBe('answer; cookie: none');
  expect(api.asked.length - before).toBe(1);
});

it('a call ends when its last caller has left, and is not joined any more', async () => {
  const { server, name, before, controller } = pages({ dedupe: true });
  const both = [server.get(`${name}?abort`), server.get(`${name}?abort&2`)];
  await api.arrived(before + 1);
  await turns();
  const closed = new Promise((resolve) => owed[0]!.response.on('close', resolve));
  controller.abort(new Error('not wanted'));
  await Promise.all(both);
  await closed;
  const later = server.get(`${name}?later`);
  await api.arrived(before + 2);
  answerAll();
  expect((await later).text).toBe('answer; cookie: none');
});

it('one that joins late has the time of the call, not its own', async () => {
  const { server, name, before } = pages({ dedupe: true, timeoutMs: 300 });
  const first = server.get(`${name}?secret-of-the-first`);
  await api.arrived(before + 1);
  const second = server.get(`${name}?second`);
  const texts = [(await first).text, (await second).text];
  for (const text of texts) expect(text).toContain('NG_SSR_CALL_TIMEOUT');
  // A page's target may be a secret.
  expect(texts[0]).toContain(`called by GET ${name}?secret-of-the-first`);
  expect(texts[1]).toContain(`called by GET ${name}?second`);
  expect(api.asked.length - before).toBe(1);
});

it('a purge that may mean a call in flight: later callers start their own, and its response is not stored', async () => {
  const { server, name, before } = pages({ cache: 'shared' });
  const early = server.get(`${name}?early`);
  await api.arrived(before + 1);
  await server.handler.cache.purge({ tag: 'news' });
  const late = server.get(`${name}?late`);
  await api.arrived(before + 2);
  const [first, second] = owed;
  second!.response
    .writeHead(200, { 'cache-control': 'max-age=60', 'cache-tag': 'news' })
    .end('new');
  expect((await late).text).toContain('new');
  first!.response.writeHead(200, { 'cache-control': 'max-age=60', 'cache-tag': 'news' }).end('old');
  expect((await early).text).toContain('old');
  expect((await server.get(`${name}?last`)).text).toContain('new');
  expect(api.asked.length - before).toBe(2);
});

it('a purge before the only answer: it is not stored', async () => {
  const { server, name, before } = pages({ cache: 'shared' });
  const early = server.get(`${name}?early`);
  await api.arrived(before + 1);
  await server.handler.cache.purge({ tag: 'news' });
  answerAll({ 'cache-control': 'max-age=60', 'surrogate-key': 'a news' });
  await early;
  const late = server.get(`${name}?late`);
  await api.arrived(before + 2);
  answerAll();
  await late;
});

it('a call belongs to no request: the store of the first caller is not that of the call', async () => {
  const requests = new AsyncLocalStorage<string>();
  const seen: unknown[] = [];
  const runtimeFetch = globalThis.fetch;
  const server = storedServer(
    async (request) =>
      page(
        await (
          await fetch(new URL('/x', api.origin), { headers: { a: new URL(request.url).pathname } })
        ).text(),
      ),
    { features: [withCalls({ '**': { dedupe: true } })] },
  );
  globalThis.fetch = ((...args: Parameters<typeof fetch>) => {
    seen.push(requests.getStore());
    return runtimeFetch(...args);
  }) as typeof fetch;
  try {
    const before = api.asked.length;
    owed = [];
    const answered = requests.run('ann', () => server.get('/store'));
    await api.arrived(before + 1);
    answerAll();
    await answered;
  } finally {
    globalThis.fetch = runtimeFetch;
  }
  // Once as the page calls, and once as it is sent.
  expect(seen.at(-1)).toBeUndefined();
});

/** Lets a request that was just made reach its call. */
async function turns(): Promise<void> {
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
}
