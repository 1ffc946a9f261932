import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Edge, EdgePage } from '@ng-ssr/core';
import {
  cloudflareEdge,
  type EdgeOptions,
  fastlyEdge,
  netlifyEdge,
  varnishEdge,
} from '@ng-ssr/edge';
import { type FakeApi, openApi, reply } from './fake-api.ts';

const TOKEN = 'secret-token';
const LIMITS: EdgeOptions = { settleMs: 0 };
const PAGE: EdgePage = {
  tags: ['ng-p-1', 'ng-f-2', 'all'],
  vary: [],
  freshSeconds: 600,
  staleWhileRevalidateSeconds: 60,
  staleIfErrorSeconds: 3600,
};

const apis: FakeApi[] = [];
afterEach(async () => {
  await Promise.all(apis.splice(0).map((api) => api.close()));
});

async function open(answer: Parameters<typeof openApi>[0]): Promise<FakeApi> {
  const api = await openApi(answer);
  apis.push(api);
  return api;
}

/** Each edge, over an API that answers as documented. */
const EDGES: Readonly<
  Record<string, (limits?: EdgeOptions) => Promise<{ readonly api: FakeApi; readonly edge: Edge }>>
> = {
  async Varnish(limits = LIMITS) {
    const api = await open((request, response) => {
      const isRight = request.method === 'PURGE' && request.path === '/';
      reply(response, isRight ? 200 : 400, {});
    });
    return { api, edge: varnishEdge({ url: api.url, token: TOKEN, ...limits }) };
  },
  async Fastly(limits = LIMITS) {
    const api = await open((request, response) => {
      if (request.headers['fastly-key'] !== TOKEN) {
        return reply(response, 401, { msg: 'Provided credentials are missing or invalid' });
      }
      const isRight = request.method === 'POST' && request.path === '/service/SU1Z0/purge';
      if (!isRight) return reply(response, 404, { msg: 'Record not found' });
      const { surrogate_keys: keys } = JSON.parse(request.body) as { surrogate_keys: string[] };
      if (keys.length > 256) return reply(response, 400, { msg: 'too many keys' });
      reply(response, 200, Object.fromEntries(keys.map((key) => [key, '108-1391560174-974124'])));
    });
    const options = { serviceId: 'SU1Z0', token: TOKEN, apiUrl: api.url, ...limits };
    return { api, edge: fastlyEdge(options) };
  },
  async Cloudflare(limits = LIMITS) {
    const api = await open((request, response) => {
      const failed = (status: number, message: string): void =>
        reply(response, status, { success: false, errors: [{ code: 1, message }], result: null });
      if (request.headers.authorization !== `Bearer ${TOKEN}`) return failed(401, 'Authentication');
      const isRight =
        request.method === 'POST' && request.path === '/client/v4/zones/023e/purge_cache';
      if (!isRight) return failed(404, 'Not found');
      const { tags } = JSON.parse(request.body) as { tags: string[] };
      if (tags.length > 100) return failed(400, 'too many tags');
      reply(response, 200, { success: true, errors: [], messages: [], result: { id: '023e' } });
    });
    const options = { zoneId: '023e', token: TOKEN, apiUrl: `${api.url}/client/v4/`, ...limits };
    return { api, edge: cloudflareEdge(options) };
  },
  async Netlify(limits = LIMITS) {
    const api = await open((request, response) => {
      if (request.headers.authorization !== `Bearer ${TOKEN}`) return reply(response, 401, {});
      if (request.method !== 'POST' || request.path !== '/api/v1/purge')
        return reply(response, 404, {});
      const { site_id: id, cache_tags: tags } = JSON.parse(request.body) as Record<string, unknown>;
      const isRight = id === 'site-1' && Array.isArray(tags);
      response.writeHead(isRight ? 202 : 400).end();
    });
    const options = { siteId: 'site-1', token: TOKEN, apiUrl: api.url, ...limits };
    return { api, edge: netlifyEdge(options) };
  },
};

/** The tags of all requests. */
function tagsOf({ requests }: FakeApi): string[] {
  return requests.flatMap(({ headers, body }) => {
    const header = headers['xkey-purge'] ?? headers['xkey-softpurge'];
    if (header !== undefined) return String(header).split(' ');
    const {
      surrogate_keys: keys,
      tags,
      cache_tags: ofNetlify,
    } = JSON.parse(body) as Record<string, string[]>;
    return (keys ?? tags ?? ofNetlify)!;
  });
}

test('the lines of a purge of Varnish are of 4000 bytes and 200 tags at most', async () => {
  const { api, edge } = await EDGES['Varnish']!();
  const long = Array.from({ length: 300 }, (_, i) => String(i).padStart(25, '0'));
  const short = Array.from({ length: 201 }, (_, i) => `s${i}`);
  await edge.purge([...long, ...short], false);
  expect(tagsOf(api)).toEqual([...long, ...short]);
  const lines = api.requests.map(({ headers }) => String(headers['xkey-purge']));
  expect(lines.map((line) => line.length).filter((length) => length > 4000)).toEqual([]);
  expect(lines.map((line) => line.split(' ').length).filter((tags) => tags > 200)).toEqual([]);
});

describe.each(Object.keys(EDGES))('%s', (name) => {
  test('is purged as its API is documented, within its limits', async () => {
    const { api, edge } = await EDGES[name]!();
    expect(edge.name).toBe(name);
    await edge.purge(['a', 'b'], false);
    expect(api.requests).toHaveLength(1);
    expect(tagsOf(api)).toEqual(['a', 'b']);
    api.requests.length = 0;
    const tags = Array.from({ length: 600 }, (_, i) => `ng-p-${String(i).padStart(16, '0')}`);
    await edge.purge(tags, true);
    expect(api.requests.length).toBeGreaterThan(1);
    expect(tagsOf(api)).toEqual(tags);
    for (const { headers } of api.requests) {
      expect(Object.entries(headers).join().length).toBeLessThan(8192);
    }
  });

  test('a purge that it refuses is not sent again, and no message shows the token', async () => {
    const { api, edge } = await EDGES[name]!();
    api.next.push((response) => reply(response, 401, { message: 'bad credentials' }));
    const error = await edge.purge(['a'], false).catch((cause: unknown) => cause as Error);
    expect(error).toMatchObject({
      message: expect.stringMatching(/got status 401: .*bad credentials/) as string,
    });
    expect(String(error)).not.toContain(TOKEN);
    expect(api.requests).toHaveLength(1);
  });

  test('a redirect is refused: it would take the token elsewhere', async () => {
    const { api, edge } = await EDGES[name]!();
    api.next.push((response) => response.writeHead(307, { location: '/elsewhere' }).end());
    await expect(edge.purge(['a'], false)).rejects.toThrow('got status 307');
    expect(api.requests).toHaveLength(1);
  });

  test('errors of the server, timeouts and broken connections are tried again', async () => {
    const { api, edge } = await EDGES[name]!({ ...LIMITS, timeoutMs: 300 });
    api.next.push((response) => reply(response, 503, {}));
    api.next.push((response) => response.destroy());
    api.next.push(() => undefined);
    await edge.purge(['a'], false);
    expect(api.requests.length).toBeGreaterThanOrEqual(4);
  });

  test('429 is tried again when Retry-After says', async () => {
    const { api, edge } = await EDGES[name]!();
    api.next.push((response) => reply(response, 429, {}, { 'retry-after': '0' }));
    await edge.purge(['a'], false);
    expect(api.requests).toHaveLength(2);
    // Later than its deadline.
    api.next.push((response) => reply(response, 429, {}, { 'retry-after': '60' }));
    await expect(edge.purge(['a'], false)).rejects.toThrow('got status 429');
    expect(api.requests).toHaveLength(3);
    api.next.push((response) => reply(response, 429, {}, { 'retry-after': '9'.repeat(12) }));
    await expect(edge.purge(['a'], false)).rejects.toThrow('got status 429');
    expect(api.requests).toHaveLength(4);
    const date = new Date(Date.now() + 60_000).toUTCString();
    api.next.push((response) => reply(response, 429, {}, { 'retry-after': date }));
    await expect(edge.purge(['a'], false)).rejects.toThrow('got status 429');
  });

  test('an edge that asks for no wait is left more and more time', async () => {
    const { api, edge } = await EDGES[name]!({ ...LIMITS, deadlineMs: 1500 });
    for (let i = 0; i < 1000; i++) {
      api.next.push((response) => reply(response, 429, {}, { 'retry-after': '0' }));
    }
    await expect(edge.purge(['a'], false)).rejects.toThrow('got status 429');
    // The shortest waits are 50, 100, 200, 400 and 800 ms.
    expect(api.requests.length).toBeLessThanOrEqual(6);
  });

  test('however long its deadline is, an edge is not asked again and again', async () => {
    const { api, edge } = await EDGES[name]!({ ...LIMITS, deadlineMs: 2 ** 31 - 1 });
    const waits = vi.spyOn(timers, 'setTimeout').mockResolvedValue(undefined);
    syncBuiltinESMExports();
    onTestFinished(() => {
      waits.mockRestore();
      syncBuiltinESMExports();
    });
    for (let i = 0; i < 1000; i++) api.next.push((response) => reply(response, 503, {}));
    await expect(edge.purge(['a'], false)).rejects.toThrow('(30 attempts)');
    expect(waits.mock.calls.every(([ms]) => ms! >= 50)).toBe(true);
    expect(api.requests).toHaveLength(30);
  });

  test('an edge that stays away is given up at the deadline', async () => {
    const { api, edge } = await EDGES[name]!({ ...LIMITS, deadlineMs: 60_000 });
    // The time that an answer takes, on machines of any speed.
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    for (let i = 0; i < 50; i++) {
      api.next.push((response) => {
        vi.advanceTimersByTime(25_000);
        reply(response, 500, { error: 'down' });
      });
    }
    await expect(edge.purge(['a'], false)).rejects.toThrow(
      /got status 500: .*down.*\(3 attempts\)/,
    );
    expect(api.requests).toHaveLength(3);
  });

  test('a purge of several requests has one deadline', async () => {
    const { api, edge } = await EDGES[name]!({ ...LIMITS, deadlineMs: 60_000 });
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    api.next.push((response) => {
      vi.advanceTimersByTime(70_000);
      reply(response, name === 'Netlify' ? 202 : 200, { success: true });
    });
    const tags = Array.from({ length: 600 }, (_, i) => `t${i}`);
    await expect(edge.purge(tags, false)).rejects.toThrow('was not sent within 60000 ms');
    expect(api.requests).toHaveLength(1);
  });

  test('a page with more tags than its header takes is not for it', async () => {
    const { edge } = await EDGES[name]!();
    const tags = Array.from({ length: 200 }, (_, i) => `${i}-${'x'.repeat(120)}`);
    expect(edge.headersOf({ ...PAGE, tags })).toBeUndefined();
  });
});

test('each edge has its headers', async () => {
  const headers = async (name: string): Promise<unknown> =>
    (await EDGES[name]!()).edge.headersOf(PAGE);
  const control = 'max-age=600, stale-while-revalidate=60, stale-if-error=3600';
  expect(await headers('Varnish')).toEqual([
    'cdn-cache-control',
    control,
    'xkey',
    'ng-p-1 ng-f-2 all',
  ]);
  expect(await headers('Fastly')).toEqual([
    'surrogate-control',
    control,
    'surrogate-key',
    'ng-p-1 ng-f-2 all',
  ]);
  const cloudflare = ['cloudflare-cdn-cache-control', control, 'cache-tag', 'ng-p-1,ng-f-2,all'];
  expect(await headers('Cloudflare')).toEqual(cloudflare);
  expect(await headers('Netlify')).toEqual([
    ...['netlify-cdn-cache-control', `public, durable, ${control}`],
    ...['netlify-cache-tag', 'ng-p-1,ng-f-2,all', 'netlify-vary', 'query'],
  ]);
});

test('Cloudflare reads no Vary: it keeps no such page', async () => {
  const { edge } = await EDGES['Cloudflare']!();
  expect(edge.headersOf({ ...PAGE, vary: ['accept-language'] })).toBeUndefined();
});

test('Cloudflare confirms with its envelope, not with the status alone', async () => {
  const { api, edge } = await EDGES['Cloudflare']!();
  api.next.push((response) =>
    reply(response, 200, { success: false, errors: [{ message: 'no' }] }),
  );
  await expect(edge.purge(['a'], false)).rejects.toThrow('got status 200: {"success":false');
  api.next.push((response) => response.end('<html>'));
  await expect(edge.purge(['a'], false)).rejects.toThrow('<html>');
});

test('soft purges of Varnish and Fastly', async () => {
  const varnish = await EDGES['Varnish']!();
  await varnish.edge.purge(['a'], true);
  expect(varnish.api.requests[0]!.headers).toMatchObject({
    'xkey-softpurge': 'a',
    authorization: `Bearer ${TOKEN}`,
  });
  expect(varnish.api.requests[0]!.headers['xkey-purge']).toBeUndefined();
  const fastly = await EDGES['Fastly']!();
  await fastly.edge.purge(['a'], true);
  await fastly.edge.purge(['a'], false);
  expect(fastly.api.requests.map(({ headers }) => headers['fastly-soft-purge'])).toEqual([
    '1',
    undefined,
  ]);
});

test('all of several Varnish servers must confirm', async () => {
  const one = await EDGES['Varnish']!();
  const two = await EDGES['Varnish']!();
  const both = varnishEdge({ url: [one.api.url, two.api.url], ...LIMITS });
  await both.purge(['a'], false);
  expect([one.api.requests.length, two.api.requests.length]).toEqual([1, 1]);
  two.api.next.push((response) => reply(response, 403, {}));
  await expect(both.purge(['a'], false)).rejects.toThrow(two.api.url);
});

test.each<[() => Edge, string]>([
  [() => varnishEdge({ url: [] }), 'url'],
  [() => varnishEdge({ url: 'varnish:6081' }), 'url'],
  [() => varnishEdge({ url: 'http://user:secret-token@varnish' }), 'url'],
  [() => varnishEdge({ url: 'http://varnish/?a' }), 'url'],
  [() => varnishEdge({ url: 'http://varnish/?' }), 'url'],
  [() => varnishEdge({ url: 'http://varnish/#' }), 'url'],
  [() => varnishEdge({ url: 'http://varnish', token: 'secret token' }), 'token'],
  [() => varnishEdge({ url: 'http://varnish', settleMs: -1 }), 'settleMs'],
  [() => varnishEdge({ url: 'http://varnish', timeoutMs: 0 }), 'timeoutMs'],
  [() => varnishEdge({ url: 'http://varnish', deadlineMs: 2 ** 31 }), 'deadlineMs'],
  [() => varnishEdge({ url: 'http://varnish', uri: 'x' } as never), 'uri'],
  [() => varnishEdge(undefined as never), 'options'],
  [() => fastlyEdge({ serviceId: '../x', token: TOKEN }), 'serviceId'],
  [() => fastlyEdge({ serviceId: 'x', token: 7 as never }), 'token'],
  [() => cloudflareEdge({ zoneId: ' ', token: TOKEN }), 'zoneId'],
  [() => cloudflareEdge({ zoneId: 'x', token: TOKEN, apiUrl: 'ftp://x' }), 'apiUrl'],
  [() => netlifyEdge({ siteId: 'a/b', token: TOKEN }), 'siteId'],
])('options are checked: %s', (create, name) => {
  let error: Error | undefined;
  try {
    create();
  } catch (cause) {
    error = cause as Error;
  }
  expect(error).toMatchObject({ code: expect.stringMatching(/^NG_SSR_OPTION_/) as string });
  expect(error!.message).toContain(name);
  expect(error!.message).not.toContain('secret');
});
