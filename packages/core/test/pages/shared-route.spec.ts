import { expect, it } from 'vitest';
import type { RouteRule, SsrError, SsrOptions } from '@ng-ssr/core';
import { advance, until, useClock } from './clock.ts';
import { html, numbered, type Page, storedServer, type StoredServer } from './stored-server.ts';

useClock();

const EVERYTHING = {
  cookie: 'session=secret; theme=dark; user=ann',
  authorization: 'Bearer secret',
  'user-agent': 'secret',
  referer: 'https://secret.example/',
  'x-forwarded-for': '10.0.0.1',
  forwarded: 'for=10.0.0.1',
  'x-kind': ' a ',
  'x-secret': '1',
  accept: 'secret/*',
  'accept-language': 'de-AT, de;q=0.5',
  'accept-encoding': 'gzip',
  'if-none-match': '"secret"',
  range: 'bytes=0-1',
  'cache-control': 'max-age=0',
};

/** A server on whose routes this rule counts. */
function ruled(page: Page, rule: RouteRule, options: Partial<SsrOptions> = {}): StoredServer {
  return storedServer(page, { routeRules: { '/**': rule }, ...options });
}

it('a shared route: the engine sees the URL, the headers and the cookies of the key, and no others', async () => {
  const rule = {
    sMaxAge: 60,
    vary: { query: ['page'], cookies: ['theme', 'absent'], headers: ['X-Kind', 'accept-language'] },
  };
  const server = ruled(() => html('page', {}), rule, { cache: { languages: ['en', 'de'] } });
  await server.get('/%70?user=ann&page=2&utm_source=x', EVERYTHING);
  const request = server.requests[0]!;
  expect(request.url).toBe('http://localhost/p?page=2');
  expect(request.method).toBe('GET');
  expect(Object.fromEntries(request.headers)).toEqual({
    host: 'localhost',
    accept: 'text/html',
    cookie: 'theme=dark',
    'x-kind': 'a',
    'accept-language': 'de',
  });
  expect(server.contexts).toEqual([null]);
});

it('a shared route: without vary the engine sees the path alone', async () => {
  const server = ruled(() => html('page', {}), { sMaxAge: 60 });
  await server.get('/p?user=ann', EVERYTHING);
  expect(server.requests[0]!.url).toBe('http://localhost/p');
  expect(Object.fromEntries(server.requests[0]!.headers)).toEqual({
    host: 'localhost',
    accept: 'text/html',
  });
});

it('a shared route: the engine sees the same in a refresh', async () => {
  const server = ruled(() => html('page', {}), { sMaxAge: 10, staleWhileRevalidate: 60 });
  await server.get('/p');
  advance(11);
  await server.get('/p?user=ann', EVERYTHING);
  await until(() => server.requests.length === 2);
  expect(server.requests[1]!.url).toBe('http://localhost/p');
  expect([...server.requests[1]!.headers.keys()]).toEqual(['accept', 'host']);
  expect(server.contexts).toEqual([null, null]);
});

it('other routes: the engine sees what came, and the request context', async () => {
  const server = storedServer(() => html('page', {}), {
    routeRules: { '/q': { sMaxAge: 60 }, '/p': { tags: ['a'] } },
  });
  await server.get('/p?user=ann', EVERYTHING);
  expect(server.requests[0]!.url).toBe('http://localhost/p?user=ann');
  expect(server.requests[0]!.headers.get('cookie')).toBe(EVERYTHING.cookie);
  expect(server.requests[0]!.headers.get('authorization')).toBe('Bearer secret');
  expect(server.contexts).toEqual([{ user: 'ann' }]);
});

it('a shared route: where it is not stored, for another status, it is shared all the same', async () => {
  const server = ruled(() => html('sorry', {}, 500), { sMaxAge: 60 });
  await server.get('/p?user=ann', EVERYTHING);
  expect([...server.requests[0]!.headers.keys()]).toEqual(['accept', 'host']);
});

const READERS: readonly [string, (request: Request) => unknown][] = [
  ['get', ({ headers }) => headers.get('cookie')],
  ['get in another case', ({ headers }) => headers.get('Authorization')],
  ['has', ({ headers }) => headers.has('COOKIE')],
];

it.each(READERS)(
  'a shared route: reading headers that differ between users is an error in development (%s)',
  async (_name, read) => {
    const codes: unknown[] = [];
    const page: Page = (request) => {
      try {
        return html(String(read(request)), {});
      } catch (error) {
        codes.push((error as SsrError).code);
        throw error;
      }
    };
    const server = ruled(page, { sMaxAge: 60 }, { errorDetails: true });
    const failed = await server.get('/p', EVERYTHING);
    expect(failed.status).toBe(500);
    expect(codes).toEqual(['NG_SSR_REQUEST_NOT_SHARED']);
    expect(failed.text).toMatch(/: add (?:cookies|headers): \['[^']+'\] to vary of the route rule/);
    const [error] = server.errors;
    const codeAndCause = [error!.code, (error!.cause as SsrError | undefined)?.code];
    expect(codeAndCause).toContain('NG_SSR_REQUEST_NOT_SHARED');
    expect(error!.message).toMatch(
      /^GET \/p failed\. \/p reads the request's [a-z-]+, .* of the route rule/,
    );
    expect(server.handler.cache.inspect().count).toBe(0);

    const production = ruled(page, { sMaxAge: 60 }, { errorDetails: false });
    const answer = await production.get('/p', EVERYTHING);
    expect([answer.status, answer.text]).toEqual([
      200,
      `<!doctype html><p>${_name === 'has' ? 'false' : 'null'}</p>`,
    ]);
  },
);

it('a shared route: everything else may be read in development', async () => {
  const server = ruled(
    ({ headers, url, method }) => {
      const pairs: string[] = [];
      headers.forEach((value, name) => pairs.push(`${name}=${value}`));
      for (const [name] of headers) pairs.push(name);
      pairs.push(String(headers.get('x-secret')), String(new Headers(headers).get('accept')));
      return html(`${method} ${url} ${pairs.join()}`, {});
    },
    { sMaxAge: 60 },
    { errorDetails: true },
  );
  const answer = await server.get('/p', EVERYTHING);
  expect(answer.status).toBe(200);
  expect(answer.text).not.toContain('secret');
});

it('a shared route: a cookie that its rule names may be read when it is absent', async () => {
  const page: Page = ({ headers }) => html(`${headers.get('cookie')} ${headers.has('cookie')}`, {});
  const rule = { sMaxAge: 60, vary: { cookies: ['theme'] } };
  const server = ruled(page, rule, { errorDetails: true });
  expect((await server.get('/p', { cookie: 'theme=dark; user=ann' })).text).toContain(
    'theme=dark true',
  );
  const absent = await server.get('/p', { cookie: 'user=ann' });
  expect(absent.status).toBe(200);
  expect(absent.text).not.toContain('ann');
});

it('a shared route: Cache-Control and Vary say what the rule does', async () => {
  for (const [rule, cacheControl, vary] of [
    [{ sMaxAge: 60 }, 'public, max-age=0, s-maxage=60', undefined],
    [{ sMaxAge: 60, maxAge: 5 }, 'public, max-age=5, s-maxage=60', undefined],
    [
      { sMaxAge: 60, staleWhileRevalidate: 10, staleIfError: 20 },
      'public, max-age=0, s-maxage=60, stale-while-revalidate=10, stale-if-error=20',
      undefined,
    ],
    [
      { sMaxAge: 60, vary: { cookies: ['theme'], headers: ['X-Kind'], query: ['q'] } },
      'public, max-age=0, s-maxage=60',
      'x-kind, Cookie',
    ],
    [{ sMaxAge: 60, vary: { query: ['q'] } }, 'public, max-age=0, s-maxage=60', undefined],
  ] as const) {
    const server = ruled(() => html('page', { 'cache-control': 'max-age=1' }), rule, {
      files: { encodings: [] },
    });
    for (let i = 0; i < 2; i++) {
      const answer = await server.get('/p');
      expect([answer.header('cache-control'), answer.header('vary')]).toEqual([cacheControl, vary]);
    }
  }
});

it('a shared route: a temporary redirect that is stored varies by what the rule names', async () => {
  const server = ruled(
    (request) =>
      new Response(null, {
        status: 302,
        headers: {
          location: `/${request.headers.get('accept-language')}`,
          'cache-control': 's-maxage=60',
        },
      }),
    { sMaxAge: 60, vary: { headers: ['accept-language'], cookies: ['theme'] } },
    { cache: { languages: ['en', 'de'] } },
  );
  for (const language of ['de', 'en']) {
    const headers = { 'accept-language': language };
    expect((await server.get('/p', headers)).isHit).toBe(false);
    const hit = await server.get('/p', headers);
    expect([hit.isHit, hit.header('location')]).toEqual([true, `/${language}`]);
    expect(hit.header('vary')).toBe('accept-language, Cookie');
    expect(hit.header('cache-control')).toBe('s-maxage=60');
  }
});

it('a shared route: no cache directive of the page stays beside the rule', async () => {
  const headers = { 'cdn-cache-control': 'max-age=3600', 'cache-control': 's-maxage=3600' };
  const server = ruled(() => html('page', headers), { sMaxAge: 60 });
  for (let i = 0; i < 2; i++) {
    const answer = await server.get('/p');
    expect(answer.header('cdn-cache-control')).toBeUndefined();
    expect(answer.header('cache-control')).toBe('public, max-age=0, s-maxage=60');
  }
});

it('a shared route: the page’s own Vary is sent too, and makes no variants', async () => {
  const server = ruled(() => html('page', { vary: 'Cookie, x-secret' }), { sMaxAge: 60 });
  await server.get('/p', { cookie: 'a=1', 'x-secret': '1' });
  const hit = await server.get('/p', { cookie: 'a=2', 'x-secret': '2' });
  expect([hit.isHit, hit.header('vary')]).toEqual([true, 'Cookie, x-secret, Accept-Encoding']);
});

it('a shared route: the lifetime is the rule’s, whatever the page’s headers', async () => {
  for (const value of ['max-age=1', 's-maxage=3600', 'public']) {
    const server = ruled(() => html('page', { 'cache-control': value }), { sMaxAge: 60 });
    await server.get('/p');
    expect((await server.get('/p')).cache).toBe('hit; ttl=60');
  }
});

it.each<[string, Readonly<Record<string, string>>]>([
  ['set-cookie', { 'set-cookie': 'session=1' }],
  ['private', { 'cache-control': 'private' }],
  ['no-store', { 'cache-control': 'no-store' }],
  ['no-cache', { 'cache-control': 'no-cache' }],
  ['no-store', { 'cdn-cache-control': 'no-store' }],
  ['vary-star', { vary: '*' }],
])(
  'a shared route: %s of the page forbids storing, and is what is sent',
  async (reason, headers) => {
    const server = ruled((_request, count) => html(`render ${count}`, headers), { sMaxAge: 60 });
    const first = await server.get('/p');
    expect(first.cache).toBe(`fwd=uri-miss; detail=${reason}`);
    expect(first.header('cache-control') ?? '').not.toMatch(/public|s-maxage/);
    expect((await server.get('/p')).text).toContain('render 2');
  },
);

it('a shared route: its tags are those of the rule and of the page', async () => {
  const server = ruled(() => html('page', { 'cache-tag': 'b, c' }), { sMaxAge: 60, tags: ['a'] });
  await server.get('/p');
  expect(server.handler.cache.inspect().pages[0]!.tags).toEqual(['a', 'b', 'c']);
});

it('a shared route: an untrusted proxy cannot change what the page sees', async () => {
  const rule = { sMaxAge: 60, vary: { headers: ['x-forwarded-host', 'x-forwarded-for'] } };
  const server = ruled(() => html('page', {}), rule);
  await server.get('/p', { 'x-forwarded-host': 'evil.example', 'x-forwarded-for': '6.6.6.6' });
  expect([...server.requests[0]!.headers.keys()]).toEqual(['accept', 'host']);
});

it('a shared route: the engine sees the trusted prefix, which is part of the key', async () => {
  const server = ruled(() => html('page', {}), { sMaxAge: 60 }, { trustProxyHeaders: true });
  await server.get('/p', { 'x-forwarded-prefix': '/shop', 'x-forwarded-for': '10.0.0.1' });
  const { headers } = server.requests[0]!;
  expect(headers.get('x-forwarded-prefix')).toBe('/shop');
  expect(headers.has('x-forwarded-for')).toBe(false);
});

it.each<[string, string, string]>([
  ['/a', '/a', 'exact'],
  ['/a/b', '/a/**', 'below'],
  ['/a/b/d', '/a/**', 'below'],
  ['/a/one/c', '/a/*/c', 'segment'],
  ['/a/%c3%a9/c', '/a/*/c', 'segment'],
  ['/', '/', 'root'],
  ['/x', '/**', 'all'],
  ['/A', '/**', 'all'],
])('the most specific rule counts: %s has that of %s', async (target, _pattern, tag) => {
  const rules: Record<string, RouteRule> = {};
  for (const [pattern, name] of [
    ['/**', 'all'],
    ['/a/**', 'below'],
    ['/a/:id/c', 'segment'],
    ['/a', 'exact'],
    ['/', 'root'],
  ] as const) {
    rules[pattern] = { sMaxAge: 60, tags: [name] };
  }
  for (const routeRules of [rules, Object.fromEntries(Object.entries(rules).reverse())]) {
    const server = numbered({}, { routeRules });
    await server.get(target);
    expect(server.handler.cache.inspect().pages[0]!.tags).toEqual([tag]);
  }
});
