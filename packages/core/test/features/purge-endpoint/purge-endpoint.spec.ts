import { expect, it, onTestFinished, vi } from 'vitest';
import { type SsrOptions, withPurgeEndpoint, withSharedStore } from '@ng-ssr/core';
import type { Exchange } from '@ng-ssr/core/adapter';
import { plainExchange } from '../../plain-exchange.ts';
import { Shelf } from '../shared-store/fake-page-store.ts';
import { html, type Seen, storedServer, type StoredServer } from '../../pages/stored-server.ts';

const TOKEN = 'a-token-of-enough-characters';
const PATH = '/_cache/purge';
const AUTHORIZED = { authorization: `Bearer ${TOKEN}` };

const PURGES = withPurgeEndpoint({ path: PATH, token: TOKEN });

function toServer(options: Partial<SsrOptions> = {}): StoredServer {
  return storedServer(
    (_request, count) => html(`render ${count}`, { 'cache-control': 's-maxage=60' }),
    {
      features: [PURGES],
      ...options,
    },
  );
}

/** Sends content as an adapter gives it: undefined when it is longer than was asked for. */
function send(
  server: StoredServer,
  content: unknown,
  {
    headers = AUTHORIZED,
    method = 'POST',
    target = PATH,
  }: { headers?: Readonly<Record<string, string>>; method?: string; target?: string } = {},
): Promise<Seen> {
  const bytes = Buffer.from(typeof content === 'string' ? content : JSON.stringify(content));
  const exchange: Exchange = {
    ...plainExchange(target, headers, method),
    content: (maxBytes) =>
      Promise.resolve(bytes.byteLength > maxBytes ? undefined : new Uint8Array(bytes)),
  };
  return server.ask(exchange);
}

it('the purge endpoint purges with the token, and answers with the purge', async () => {
  for (const purge of [
    { path: '/p' },
    { prefix: '/' },
    { path: '/p', hard: true },
    { path: '/p', hard: false },
  ]) {
    const server = toServer();
    await server.get('/p');
    const answer = await send(server, purge);
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      200,
      { purged: purge, here: 1, elsewhere: [] },
    ]);
    expect(answer.header('content-type')).toBe('application/json');
    expect(answer.header('cache-control')).toBe('no-store');
    expect(answer.header('content-length')).toBe(String(answer.body!.byteLength));
    expect((await server.get('/p')).isHit).toBe(false);
    expect(server.requests).toHaveLength(2);
  }
});

it('the answer says how many pages of this process a purge has reached', async () => {
  const server = toServer();
  for (const target of ['/p', '/p?a=1', '/p/q']) await server.get(target);
  const here = async (purge: unknown): Promise<unknown> =>
    JSON.parse((await send(server, purge)).text).here;
  expect(await here({ path: '/other' })).toBe(0);
  expect(await here({ prefix: '/other' })).toBe(0);
  expect(await here({ tag: 'typo' })).toBe(0);
  expect(await here({ path: '/p' })).toBe(2);
  expect(await here({ prefix: '/p' })).toBe(3);
  expect(await here({ path: '/p', hard: true })).toBe(2);
  expect(await here({ prefix: '/', hard: true })).toBe(1);
  expect(await here({ prefix: '/' })).toBe(0);
});

it.each<[string, Readonly<Record<string, string>>]>([
  ['none', {}],
  ['an empty header', { authorization: '' }],
  ['the scheme alone', { authorization: 'Bearer' }],
  ['another token', { authorization: 'Bearer another-token-of-enough' }],
  ['a part of it', { authorization: `Bearer ${TOKEN.slice(0, -1)}` }],
  ['more than it', { authorization: `Bearer ${TOKEN}x` }],
  ['a word after it', { authorization: `Bearer ${TOKEN} x` }],
  ['another scheme', { authorization: `Basic ${TOKEN}` }],
  ['no scheme', { authorization: TOKEN }],
  ['two of them', { authorization: `Bearer ${TOKEN}, Bearer ${TOKEN}` }],
  ['a cookie', { cookie: `authorization=Bearer ${TOKEN}` }],
  ['another header', { 'proxy-authorization': `Bearer ${TOKEN}` }],
])('RFC 6750: without the token the purge endpoint answers 401 (%s)', async (_name, headers) => {
  const server = toServer();
  await server.get('/p');
  // Not even whether the purge is one is told to strangers.
  for (const content of [{ path: '/p' }, 'junk']) {
    const answer = await send(server, content, { headers });
    expect([answer.status, answer.header('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(answer.header('cache-control')).toBe('no-store');
    expect(answer.text).not.toContain(TOKEN);
  }
  expect((await server.get('/p')).isHit).toBe(true);
});

it('RFC 9110 section 11.1: the scheme has any case', async () => {
  const server = toServer();
  const headers = { authorization: `bearer ${TOKEN}` };
  expect((await send(server, { tag: 'a' }, { headers })).status).toBe(200);
});

it.each(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PURGE'])(
  'RFC 9110 section 15.5.6: the purge endpoint answers 405 to %s, with POST in Allow',
  async (method) => {
    const server = toServer();
    for (const headers of [{}, AUTHORIZED]) {
      const answer = await send(server, { path: '/p' }, { method, headers });
      expect([answer.status, answer.header('allow')]).toEqual([405, 'POST']);
    }
    expect(server.requests).toEqual([]);
  },
);

it.each(['junk', '[]', '{"path":"/p?a=1"}', '{"tag":"a","__proto__":{"hard":true}}'])(
  'RFC 9110 section 15.5.1: the purge endpoint answers 400 to %j',
  async (content) => {
    const server = toServer({ errorDetails: false });
    await server.get('/p');
    const answer = await send(server, content);
    expect(answer.status).toBe(400);
    expect(answer.cache).toBe('detail=NG_SSR_PURGE_INVALID');
    expect((await server.get('/p')).isHit).toBe(true);
  },
);

it('the purge endpoint takes no content of more than 16 KiB', async () => {
  const server = toServer();
  const tag = 'x'.repeat(16 * 1024 - JSON.stringify({ tag: '' }).length);
  expect((await send(server, { tag })).status).toBe(200);
  const answer = await send(server, { tag: `${tag}x` });
  expect(answer.status).toBe(400);
  expect(answer.text).toContain('16 KiB');
});

it('the purge endpoint is at the path of the option only', async () => {
  const server = toServer();
  for (const target of [`${PATH}/`, `${PATH}/x`, '/_cache/%70urge', '/_CACHE/purge', '/_cache']) {
    const answer = await send(server, { path: '/p' }, { target });
    expect([target, answer.status]).toEqual([target, 405]);
    expect(answer.header('allow')).toBe('GET, HEAD');
  }
  expect((await send(server, { path: '/p' }, { target: `${PATH}?a=1` })).status).toBe(200);
});

it('without the feature there is no endpoint', async () => {
  const server = toServer({ features: [] });
  expect((await send(server, { path: '/p' })).status).toBe(405);
});

it('names the store that processes share', async () => {
  const server = toServer({ features: [PURGES, withSharedStore(new Shelf().open())] });
  await server.get('/p');
  const { text } = await send(server, { path: '/p' });
  expect(JSON.parse(text)).toEqual({ purged: { path: '/p' }, here: 1, elsewhere: ['store'] });
});

it('a purge that may not have reached all processes is answered with 503', async () => {
  const { SsrError } = await import('@ng-ssr/core');
  const away = (): Promise<never> =>
    Promise.reject(new SsrError('NG_SSR_STORE_UNAVAILABLE', 'the store is away'));
  const store = {
    open: () => undefined,
    version: () => 0,
    get: () => Promise.resolve(undefined),
    set: () => Promise.resolve(),
    delete: () => Promise.resolve(),
    purge: away,
    lease: () => Promise.resolve(undefined),
    close: () => Promise.resolve(),
  };
  const server = toServer({ features: [PURGES, withSharedStore(store)] });
  await server.get('/p');
  const answer = await send(server, { path: '/p' });
  expect([answer.status, answer.header('retry-after')]).toEqual([503, '1']);
  // Here it has been heard all the same.
  expect((await server.get('/p')).isHit).toBe(false);
  expect(server.errors.map(({ code }) => code)).toEqual(['NG_SSR_STORE_UNAVAILABLE']);
});

it('content nested as deep as it can be is a 400', async () => {
  const depth = 8000;
  for (const content of [
    '['.repeat(depth) + ']'.repeat(depth),
    `{"path":${'['.repeat(depth)}${']'.repeat(depth)}}`,
  ]) {
    const answer = await send(toServer(), content);
    expect(answer.status).toBe(400);
  }
});

it('guesses wait, and lock nobody out', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const server = toServer();
  const headers = { authorization: 'Bearer a-guess-of-some-length' };
  let refused = 0;
  const guesses = Array.from({ length: 150 }, async () => {
    expect((await send(server, { path: '/' }, { headers })).status).toBe(401);
    refused++;
  });
  await vi.advanceTimersByTimeAsync(1);
  // A hundred wait; the oldest of the others had to go.
  expect(refused).toBe(50);
  expect((await send(server, { path: '/p' })).status).toBe(200);
  expect((await send(server, { path: '/p' }, { headers: {} })).status).toBe(401);
  await vi.advanceTimersByTimeAsync(500);
  await Promise.all(guesses);
  expect(refused).toBe(150);
});
