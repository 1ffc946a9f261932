import { type CallRules, withCalls } from '@ng-ssr/core';
import { expect, it } from 'vitest';
import { html, storedServer, type StoredServer } from '../../pages/stored-server.ts';
import { type Api, startApi } from './api-server.ts';

const PUBLIC = { 'cache-control': 'public, s-maxage=60' };
const FORWARD = ['cookie', 'authorization', 'x-session'];

/** Of a module: it sends what all renders have asked for in one turn as one call, as DataLoader and tRPC do. */
class Batcher {
  readonly #send: (keys: readonly string[]) => Promise<Record<string, string>>;
  readonly #size: number;
  #batch: { key: string; resolve: (value: string) => void; reject: (error: unknown) => void }[] =
    [];

  /** @param size - The batch is sent when it has as many keys. */
  constructor(size: number, send: (keys: readonly string[]) => Promise<Record<string, string>>) {
    this.#send = send;
    this.#size = size;
  }

  load(key: string): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#batch.push({ key, resolve, reject });
      if (this.#batch.length === this.#size) void this.#dispatch();
    });
  }

  async #dispatch(): Promise<void> {
    const batch = this.#batch;
    this.#batch = [];
    try {
      const values = await this.#send(batch.map(({ key }) => key));
      for (const { key, resolve } of batch) resolve(values[key]!);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}

/** A server whose pages all load from one batcher; the values are what the API has seen of the visitor. */
function batching(api: Api, size: number, init: RequestInit = {}): StoredServer {
  const batcher = new Batcher(size, async (keys) => {
    const response = await fetch(`${api.origin}/batch?keys=${keys.join(',')}`, init);
    const { headers } = (await response.json()) as { headers: Record<string, string> };
    const seen = FORWARD.filter((name) => name in headers).map((name) => headers[name]);
    return Object.fromEntries(keys.map((key) => [key, seen.join(' ') || 'nothing']));
  });
  const calls: CallRules = { '**': { forward: FORWARD } };
  return storedServer(
    async ({ url }) => html(`saw ${await batcher.load(new URL(url).pathname)}`, PUBLIC),
    { features: [withCalls(calls)], routeRules: { '/ruled/**': { sMaxAge: 60 } } },
  );
}

it.each([
  ['that says nothing', {}],
  ['that states the default', { credentials: 'same-origin' }],
] as const)('a batcher %s sends nothing of any visitor', async (_title, init) => {
  const api = await startApi();
  const server = batching(api, 3, init);
  const pages = await Promise.all([
    server.get('/ann', { cookie: 'user=ann', 'x-session': 'session-of-ann' }),
    server.get('/bob', { authorization: 'Bearer bob' }),
    server.get('/ruled/for-all'),
  ]);
  expect(api.received).toHaveLength(1);
  for (const { text, cache } of pages) {
    expect(text).toContain('saw nothing');
    expect(cache).toContain('stored');
  }
});

it('a batcher of the visitor, made for a render, may ask: its page is for that visitor alone', async () => {
  const api = await startApi();
  const server = storedServer(
    async ({ url }) => {
      const batcher = new Batcher(2, async (keys) => {
        const response = await fetch(`${api.origin}/echo`, { credentials: 'include' });
        const { headers } = (await response.json()) as { headers: Record<string, string> };
        return Object.fromEntries(keys.map((key) => [key, headers['cookie'] ?? 'nothing']));
      });
      const path = new URL(url).pathname;
      return html((await Promise.all([batcher.load(path), batcher.load('b')])).join(), PUBLIC);
    },
    { features: [withCalls({ '**': { forward: ['cookie'] } })] },
  );
  const [ann, bob] = await Promise.all(
    ['ann', 'bob'].map((user) => server.get('/own', { cookie: `user=${user}` })),
  );
  expect(ann!.text).toContain('user=ann,user=ann');
  expect(bob!.text).toContain('user=bob,user=bob');
  expect([ann!.cache, bob!.cache].join()).not.toContain('stored');
});

it('says once for a rule that a call did not get what the rule forwards', async () => {
  const api = await startApi();
  const server = batching(api, 1);
  await server.get('/first', { cookie: 'user=ann' });
  await server.get('/second', { cookie: 'user=ann' });
  const notices = server.errors.filter(({ code }) => code === 'NG_SSR_CALL_NOTICE');
  expect(notices).toHaveLength(1);
  expect(notices[0]!.message).toMatch(
    /^GET \/first: GET .*\/batch\?keys=\.\.\. got no cookie, which its rule forwards: set credentials: 'include' for fetch/,
  );
});

it.each<[string, (url: string) => [RequestInfo, RequestInit?], boolean]>([
  ['init', (url) => [url, { credentials: 'include' }], true],
  ['a Request', (url) => [new Request(url, { credentials: 'include' })], true],
  ['init over a Request', (url) => [new Request(url), { credentials: 'include' }], true],
  ['init with content', (url) => [url, { credentials: 'include', method: 'PUT', body: 'a' }], true],
  [
    'omit over a Request',
    (u) => [new Request(u, { credentials: 'include' }), { credentials: 'omit' }],
    false,
  ],
  ['a Request that says nothing', (url) => [new Request(url)], false],
])('credentials of %s count', async (_title, toArguments, isSent) => {
  const api = await startApi();
  const server = storedServer(
    async () => html(await (await fetch(...toArguments(`${api.origin}/echo`))).text(), {}),
    { features: [withCalls({ '**': { forward: ['cookie'] } })] },
  );
  const { text } = await server.get('/p', { cookie: 'user=ann' });
  expect(text.includes('user=ann')).toBe(isSent);
});
