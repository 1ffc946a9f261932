import { expect, test } from 'vitest';
import { type RouteRule, type SsrOptions, withNonce, withPrewarm } from '@ng-ssr/core';
import { SsrHandler } from '@ng-ssr/core/adapter';
import { writeBuiltSite } from '../built-site.ts';
import { plainExchange } from '../plain-exchange.ts';
import { html, storedServer, type StoredServer } from '../pages/stored-server.ts';

const CSR = '<html><base href="/"><app-root></app-root></html>';
const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const PERSON = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36';

function ruledServer(
  routeRules: Readonly<Record<string, RouteRule>>,
  options: Partial<SsrOptions> = {},
  files: Readonly<Record<string, string>> = { 'browser/index.csr.html': CSR },
): StoredServer {
  const folder = writeBuiltSite({ 'browser/styles.css': 'p {}', ...files });
  return storedServer(
    (_request, count) => html(`render ${count}`, { 'cache-control': 'public, s-maxage=60' }),
    { routeRules, ...options, files: { folder } },
  );
}

test('ssr: false answers with the CSR page, and 10,000 addresses cause no render', async () => {
  const server = ruledServer({ '/search/**': { ssr: false } });
  for (let i = 0; i < 10_000; i++) {
    const agent = i % 2 === 0 ? BOT : PERSON;
    const seen = await server.get(`/search/${i}?q=${i}`, { 'user-agent': agent });
    if (seen.status !== 200 || seen.text !== CSR) expect.fail(`${i}: ${seen.status}`);
  }
  expect(server.requests).toHaveLength(0);
  expect(server.handler.cache.inspect().count).toBe(0);
});

test('the CSR page that all get may be stored and compared; it has no content for HEAD', async () => {
  const { get } = ruledServer({ '/search/**': { ssr: false } });
  const first = await get('/search/a');
  expect(first.header('cache-control')).toBe('no-cache');
  expect(first.cache).toBe('hit; detail=csr');
  const etag = first.header('etag')!;
  expect((await get('/search/b', { 'if-none-match': etag })).status).toBe(304);
  const head = await get('/search/b', {}, 'HEAD');
  expect([head.status, head.body, head.header('etag')]).toEqual([200, null, etag]);
});

test.each([
  ...['/search/a', '/search/a/', '/search//a', '/search/a;x=1', '/search/a/index.html'],
  ...['/search/%61', '/s%65arch/a', '/search/(a)', '/search/x/../a', '/search/a?x=1'],
])('no spelling of a path causes a render: %s', async (target) => {
  const server = ruledServer({ '/search/**': { ssr: false } });
  await server.get(target);
  expect(server.requests).toHaveLength(0);
});

test("ssr: 'bots': crawlers cause a render, people do not", async () => {
  const server = ruledServer({ '/browse/**': { ssr: 'bots' } });
  const person = await server.get('/browse/a', { 'user-agent': PERSON });
  expect([person.text, person.header('cache-control')]).toEqual([CSR, 'private, no-cache']);
  expect((await server.get('/browse/a')).text).toBe(CSR);
  expect(server.requests).toHaveLength(0);
  const bot = await server.get('/browse/a', { 'user-agent': BOT });
  expect(bot.text).toContain('render 1');
  expect(bot.header('cache-control')).toBe('public, s-maxage=60');
});

test('a page that is stored is for everybody: keys and headers do not depend on the client', async () => {
  const server = ruledServer({ '/browse/**': { ssr: 'bots', sMaxAge: 60 } });
  await server.get('/browse/a', { 'user-agent': BOT });
  const hit = server.handler.answer(plainExchange('/browse/a', { 'user-agent': PERSON }));
  expect(hit?.status).toBe(200);
  for (const agent of [BOT, PERSON, '']) {
    const seen = await server.get('/browse/a', { 'user-agent': agent });
    expect([seen.isHit, seen.header('vary')?.includes('User-Agent') ?? false]).toEqual([
      true,
      false,
    ]);
    expect(seen.text).toContain('render 1');
  }
  await server.handler.cache.purge({ path: '/browse/a', hard: true });
  expect((await server.get('/browse/a', { 'user-agent': PERSON })).text).toBe(CSR);
  expect(server.requests).toHaveLength(1);
});

test('a stale page is renewed for a crawler, not for people', async () => {
  const rule: RouteRule = { ssr: 'bots', sMaxAge: 60, staleWhileRevalidate: 60 };
  const server = ruledServer({ '/browse/**': rule });
  await server.get('/browse/a', { 'user-agent': BOT });
  await server.handler.cache.purge({ path: '/browse/a' });
  expect((await server.get('/browse/a', { 'user-agent': PERSON })).text).toBe(CSR);
  expect(server.requests).toHaveLength(1);
  await server.get('/browse/a', { 'user-agent': BOT });
  await expect.poll(() => server.requests).toHaveLength(2);
});

test('a function decides by the request', async () => {
  const seen: Request[] = [];
  const server = ruledServer({
    '/x/**': {
      ssr: (request) => {
        seen.push(request);
        return !request.headers.has('cookie');
      },
    },
  });
  const shown = await server.get('/x/a?b=1', { cookie: 'session=1' });
  expect([shown.text, shown.header('cache-control')]).toEqual([CSR, 'private, no-cache']);
  expect((await server.get('/x/b')).text).toContain('render 1');
  expect(seen.map(({ url, method }) => [url, method])).toEqual([
    ['http://localhost/x/a?b=1', 'GET'],
    ['http://localhost/x/b', 'GET'],
  ]);
  // A hit calls no function.
  expect((await server.get('/x/b', { cookie: 'session=1' })).isHit).toBe(true);
  expect(seen).toHaveLength(2);
});

test.each<[string, () => unknown]>([
  [
    'threw',
    () => {
      throw new Error('no');
    },
  ],
  ['returned a promise; allowed: true and false', () => Promise.reject(new Error('no'))],
  ['returned a value of type undefined; allowed: true and false', () => undefined],
])('a function that %s is reported once, and the page is rendered', async (what, render) => {
  const server = ruledServer({ '/x/**': { ssr: render as () => boolean } });
  for (const target of ['/x/a', '/x/b'])
    expect((await server.get(target)).text).toContain('render');
  expect(server.errors.map(({ code }) => code)).toEqual(['NG_SSR_RENDER_RULE_FAILED']);
  expect(server.errors[0]?.message).toContain(`${what}`);
});

test('a page to be prewarmed is rendered, because the operator wants it', async () => {
  const server = ruledServer(
    { '/browse/**': { ssr: 'bots' }, '/search/**': { ssr: false } },
    {
      features: [
        withPrewarm({
          paths: ['/browse/a', '/search/a'],
          origin: 'http://localhost',
          blocksReady: true,
        }),
      ],
    },
  );
  await server.handler.ready();
  expect(server.requests.map(({ url }) => url)).toEqual(['http://localhost/browse/a']);
  expect((await server.get('/browse/a', { 'user-agent': PERSON })).isHit).toBe(true);
});

test.each([
  ['/', '/de/search/a', 'de'],
  ['/', '/fr/search/a', 'root'],
  ['/', '/search/a', 'root'],
  ['/shop/', '/shop/de/search/a', 'de'],
  ['/shop/', '/shop/search/a', 'root'],
])('the CSR page of the locale: base href %s, %s', async (base, target, locale) => {
  const page = (name: string): string =>
    `<html lang="${name}"><head><base href="${base}"></head></html>`;
  const server = ruledServer(
    { '/**': { ssr: false } },
    {},
    {
      'browser/index.csr.html': page('root'),
      'browser/de/index.csr.html': page('de'),
    },
  );
  expect((await server.get(target)).text).toContain(`lang="${locale}"`);
});

test('a build without a CSR page renders, and says so when it starts', async () => {
  const server = ruledServer({ '/search/**': { ssr: false } }, {}, {});
  expect((await server.get('/search/a')).text).toContain('render 1');
  expect(server.errors.map(({ code, message }) => [code, message])).toEqual([
    [
      'NG_SSR_CSR_PAGE_MISSING',
      'routeRules has "ssr" for /search/**, but the build has no index.csr.html, or it is too large for ' +
        'memory (files.maxFileBytes): these pages are rendered for all requests',
    ],
  ]);
});

test('the CSR page has its own nonce for each request', async () => {
  const placeholder = 'bm9uY2UtaGVyZQ';
  const nonce = { placeholder, policy: `script-src 'nonce-${placeholder}'` };
  const server = ruledServer(
    { '/search/**': { ssr: false }, '/browse/**': { ssr: 'bots' } },
    { features: [withNonce(nonce)] },
    { 'browser/index.csr.html': `<html><app-root ngCspNonce="${placeholder}"></app-root></html>` },
  );
  const nonces = new Set<string>();
  for (const target of ['/search/a', '/search/a', '/browse/a']) {
    const seen = await server.get(target);
    const [, value = ''] = /ngCspNonce="([^"]+)"/.exec(seen.text) ?? [];
    expect(seen.header('content-security-policy')).toBe(`script-src 'nonce-${value}'`);
    expect(seen.header('cache-control')).toBe('private, no-store');
    nonces.add(value);
  }
  expect(nonces.size).toBe(3);
});

test.each<[object, string]>([
  [{ ssr: true }, 'routeRules["/a"].ssr is true'],
  [{ ssr: 'bot' }, 'routeRules["/a"].ssr is "bot"'],
  [{ ssr: async () => Promise.resolve(true) }, 'routeRules["/a"].ssr is "an async function"'],
  [{ ssr: false, sMaxAge: 60 }, 'routeRules["/a"].sMaxAge is 60'],
  [{ ssr: false, maxWaitMs: 60 }, 'routeRules["/a"].maxWaitMs is 60'],
  [{ ssr: false, cache: false }, 'routeRules["/a"].cache is false'],
])('%j is refused', (rule, message) => {
  const create = (): SsrHandler =>
    new SsrHandler({ engine: () => null, routeRules: { '/a': rule as RouteRule } });
  expect(create).toThrow(message);
});

const PREFETCHES: Readonly<Record<string, string>>[] = [
  { 'sec-purpose': 'prefetch' },
  { 'sec-purpose': 'prefetch;prerender' },
  { 'sec-purpose': 'prefetch; anonymous-client-ip' },
  { purpose: 'prefetch' },
];

test.each(PREFETCHES)('a prefetch (%j) causes no render', async (headers) => {
  const server = ruledServer({});
  const refused = await server.get('/a', headers);
  expect([refused.status, refused.header('cache-control')]).toEqual([503, 'no-store']);
  expect(refused.header('retry-after')).toBeUndefined();
  expect(refused.cache).toBe('; detail=NG_SSR_PREFETCH_REFUSED'.slice(2));
  expect(server.requests).toHaveLength(0);
  expect((await server.get('/a')).status).toBe(200);
  expect((await server.get('/a', headers)).isHit).toBe(true);
  expect((await server.get('/styles.css', headers)).status).toBe(200);
  expect(server.errors).toEqual([]);
});

test.each([
  { 'sec-purpose': 'prefetching' },
  { 'sec-purpose': '' },
  { purpose: 'preview' },
  { 'sec-purpose': 'other', purpose: 'prefetch' },
])('%j is no prefetch', async (headers: Readonly<Record<string, string>>) => {
  const server = ruledServer({});
  expect((await server.get('/a', headers)).status).toBe(200);
});

test('with the option a prefetch is rendered as any request', async () => {
  const server = ruledServer({}, { render: { prefetch: true } });
  expect((await server.get('/a', { 'sec-purpose': 'prefetch' })).status).toBe(200);
});
