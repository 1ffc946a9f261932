import { expect, test } from 'vitest';
import { type SsrOptions, withSpeculationRules } from '@ng-ssr/core';
import { prerendered, writeBuiltSite } from '../../built-site.ts';
import { countWork } from '../../path/count-work.ts';
import { html, storedServer, type StoredServer } from '../../pages/stored-server.ts';
import { plainExchange } from '../../plain-exchange.ts';

const PATH = '/_ng-ssr/speculation-rules.json';
const HEADER = `"${PATH}"`;

function server(options: Partial<SsrOptions> = {}, base = '/'): StoredServer {
  const page = (text: string): string =>
    prerendered(text).replace('<html>', `<html><head><base href="${base}"></head>`);
  const folder = writeBuiltSite({
    'browser/index.csr.html': `<html><head><base href="${base}"></head></html>`,
    'browser/index.html': page('home'),
    'browser/about/index.html': page('about'),
    'browser/404/index.html': page('not found'),
    'browser/docs/index.html': 'a plain file',
    'browser/styles.css': 'p {}',
  });
  return storedServer(
    ({ url }) => {
      const { pathname } = new URL(url);
      const headers: Record<string, Record<string, string>> = {
        '/public': { 'cache-control': 'public, s-maxage=60' },
        '/shared': { 'cache-control': 's-maxage=60' },
        '/varied': { 'cache-control': 'public, s-maxage=60', vary: 'x-group' },
        '/data': { 'cache-control': 'public, s-maxage=60', 'content-type': 'application/json' },
        '/private': { 'cache-control': 'private, max-age=60' },
      };
      return html('page', headers[pathname] ?? { 'cache-control': 'public, s-maxage=60' });
    },
    { features: [withSpeculationRules()], ...options, files: { folder } },
  );
}

async function listed({ get }: StoredServer, headers = {}, path = PATH): Promise<string[]> {
  const { text, status } = await get(path, headers);
  expect(status).toBe(200);
  const rules = JSON.parse(text) as { prefetch: { urls: string[]; eagerness: string }[] };
  expect(rules).toEqual({ prefetch: [{ urls: expect.any(Array), eagerness: 'moderate' }] });
  return rules.prefetch[0]!.urls;
}

test('lists prerendered pages, and stored ones that are fresh and public', async () => {
  const each = server();
  for (const path of ['/public', '/public?token=1', '/shared', '/varied', '/data', '/private']) {
    await each.get(path);
  }
  await each.get('/elsewhere', { host: 'other.example' });
  const { requests } = each;
  const renders = requests.length;
  expect((await listed(each)).sort()).toEqual(['/', '/about', '/public']);
  expect(requests).toHaveLength(renders);
  const other = await listed(each, { host: 'other.example' });
  expect(other.sort()).toEqual(['/', '/about', '/elsewhere']);
});

test('a purged page is not listed', async () => {
  const each = server();
  await each.get('/public');
  await each.handler.cache.purge({ path: '/public' });
  expect(await listed(each)).not.toContain('/public');
});

test('the list has its type, a lifetime and a tag', async () => {
  const { get } = server();
  const list = await get(PATH);
  expect(list.header('content-type')).toBe('application/speculationrules+json');
  expect(list.header('cache-control')).toBe('public, max-age=60');
  expect((await get(PATH, { 'if-none-match': list.header('etag')! })).status).toBe(304);
  expect((await get(PATH, {}, 'HEAD')).body).toBeNull();
  expect((await get(PATH, { host: 'evil.example' })).status).toBe(400);
});

test('the list is bounded, and made once in ten seconds', async () => {
  const each = server();
  for (let i = 0; i < 1100; i++) await each.get(`/p${i}`);
  const first = await listed(each);
  expect(first).toHaveLength(1000);
  await each.get('/new');
  expect(await listed(each)).toEqual(first);
  const long = server();
  for (let i = 0; i < 100; i++) await long.get(`/${'x'.repeat(1000)}${i}`);
  expect((await long.get(PATH)).body!.byteLength).toBeLessThan(66_000);
});

test('pages name the list, other answers do not', async () => {
  const { get } = server();
  const header = async (path: string): Promise<string | undefined> =>
    (await get(path)).header('speculation-rules');
  expect(await header('/')).toBe(HEADER);
  expect(await header('/public')).toBe(HEADER);
  expect(await header('/public')).toBe(HEADER);
  for (const path of ['/styles.css', '/data', '/404', PATH]) {
    expect(await header(path), path).toBeUndefined();
  }
});

test('a prefetch causes no render, unless the option says so', async () => {
  const headers = { 'sec-purpose': 'prefetch' };
  expect((await server().get('/public', headers)).status).toBe(503);
  expect((await server({ render: { prefetch: true } }).get('/public', headers)).status).toBe(200);
});

test('below a base href the list and its pages are below it', async () => {
  const each = server({}, '/shop/');
  const { header } = await each.get('/shop/about');
  expect(header('speculation-rules')).toBe('"/shop/_ng-ssr/speculation-rules.json"');
  const paths = await listed(each, {}, '/shop/_ng-ssr/speculation-rules.json');
  expect(paths.sort()).toEqual(['/shop/', '/shop/about']);
});

test('without the feature there is neither a list nor a header', async () => {
  const { get, requests } = server({ features: [] });
  expect((await get('/')).header('speculation-rules')).toBeUndefined();
  await get(PATH);
  expect(requests).toHaveLength(1);
});

test('a hit does no more work with the header than without', async () => {
  const { handler, get } = server();
  await get('/public');
  for (const path of ['/', '/public']) {
    handler.answer(plainExchange(path));
    const exchange = plainExchange(path);
    expect(
      countWork(() => handler.answer(exchange)),
      path,
    ).toEqual({});
  }
});
