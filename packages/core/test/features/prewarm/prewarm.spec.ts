import { expect, it } from 'vitest';
import { type SsrOptions, type PrewarmOptions, withPrewarm } from '@ng-ssr/core';
import { prerendered, writeBuiltSite } from '../../built-site.ts';
import { expectRefused, type Refusal } from '../../options/refused-options.ts';
import { turn, until } from '../../pages/clock.ts';
import { html, type Page, storedServer, type StoredServer } from '../../pages/stored-server.ts';

const SHARED = { 'cache-control': 's-maxage=60' };
const ORIGIN = 'http://localhost';

function prewarming(
  prewarm: PrewarmOptions,
  page: Page = (_request, count) => html(`render ${count}`, SHARED),
  options: Partial<SsrOptions> = {},
): StoredServer {
  return storedServer(page, { features: [withPrewarm(prewarm)], ...options });
}

function paths(server: StoredServer): string[] {
  return server.requests.map(({ url }) => url.slice(ORIGIN.length)).sort();
}

it('prewarm: pages are rendered at start, once each, and answered from the store', async () => {
  const server = prewarming({ paths: ['/1', '/2', '/1'], origin: ORIGIN, blocksReady: true });
  await server.handler.ready();
  expect(paths(server)).toEqual(['/1', '/2']);
  for (const target of ['/1', '/2']) expect((await server.get(target)).isHit).toBe(true);
  expect(server.requests).toHaveLength(2);
  expect(server.errors).toEqual([]);
});

it('prewarm: the first request starts it if ready() is not called', async () => {
  const server = prewarming({ paths: ['/1'], origin: ORIGIN });
  await server.get('/p');
  await until(() => server.requests.length === 2);
  expect(paths(server)).toEqual(['/1', '/p']);
  await server.get('/p');
  expect(server.requests).toHaveLength(2);
});

it('prewarm: ready() waits for it with blocksReady, and not without', async () => {
  let land = (): void => undefined;
  const hanging: Page = async () => {
    await new Promise<void>((resolve) => (land = resolve));
    return html('page', SHARED);
  };
  const eager = prewarming({ paths: ['/1'], origin: ORIGIN }, hanging);
  await eager.handler.ready();
  land();

  const patient = prewarming({ paths: ['/1'], origin: ORIGIN, blocksReady: true }, hanging);
  let isReady = false;
  const ready = patient.handler.ready().then(() => (isReady = true));
  await until(() => patient.requests.length === 1);
  for (let i = 0; i < 5; i++) await turn();
  expect(isReady).toBe(false);
  land();
  await ready;
  expect((await patient.get('/1')).isHit).toBe(true);
});

it('prewarm: as many concurrent renders as the option allows, one by default', async () => {
  for (const concurrency of [undefined, 3]) {
    let running = 0;
    let most = 0;
    const server = prewarming(
      {
        paths: Array.from({ length: 10 }, (_, i) => `/${i}`),
        origin: ORIGIN,
        blocksReady: true,
        concurrency,
      },
      async () => {
        most = Math.max(most, ++running);
        for (let turns = 0; turns < 20; turns++) await turn();
        running--;
        return html('page', SHARED);
      },
    );
    await server.handler.ready();
    expect(server.requests).toHaveLength(10);
    expect(most).toBe(concurrency ?? 1);
  }
});

it('prewarm: a page that fails is reported by its path, and the others are rendered', async () => {
  const server = prewarming(
    {
      paths: ['/1', '/thrown', '/500', '/404', '/nobody', '/a/../b', '/2'],
      origin: ORIGIN,
      blocksReady: true,
    },
    (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === '/thrown') throw new Error('cracked');
      if (pathname === '/nobody') return null;
      return html('page', SHARED, Number(/^\/(\d{3})$/.exec(pathname)?.[1] ?? 200));
    },
  );
  await server.handler.ready();
  const reports = server.errors.filter(({ code }) => code === 'NG_SSR_PREWARM_FAILED');
  expect(reports.map(({ message }) => message)).toEqual([
    '/thrown is not prewarmed: its status is 500',
    '/500 is not prewarmed: its status is 500',
    '/404 is not prewarmed: its status is 404',
    '/nobody is not prewarmed: its status is 404',
    '/a/../b is not prewarmed: its status is 400',
  ]);
  expect((await server.get('/2')).isHit).toBe(true);
});

it('prewarm: pages are rendered for the origin and with the headers of the option', async () => {
  const server = prewarming(
    {
      paths: ['/p'],
      origin: 'https://other.example',
      headers: { 'Accept-Language': 'de', Cookie: 'theme=dark' },
      blocksReady: true,
    },
    () => html('page', { ...SHARED, vary: 'accept-language, cookie' }),
  );
  await server.handler.ready();
  const { url, headers } = server.requests[0]!;
  expect(url).toBe('https://other.example/p');
  expect([headers.get('accept-language'), headers.get('cookie')]).toEqual(['de', 'theme=dark']);
});

it('prewarm: a host that is not allowed is reported', async () => {
  const server = prewarming({ paths: ['/p'], origin: 'https://evil.example', blocksReady: true });
  await server.handler.ready();
  expect(server.requests).toEqual([]);
  expect(server.errors.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^The host evil\.example is not in allowedHosts/),
    '/p is not prewarmed: its status is 400',
  ]);
});

it('prewarm: the pages of a sitemap, whose escapes are those of XML', async () => {
  const browserFolder = writeBuiltSite({
    'browser/map/sitemap.xml': `<?xml version="1.0" encoding="UTF-8"?>
      <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://shop.example/1</loc><lastmod>2026-01-01</lastmod></url>
        <url><loc>
          https://shop.example/2?a=1&amp;b=2
        </loc></url>
        <url><loc>https://shop.example/caf%C3%A9</loc></url>
        <url><loc>https://shop.example/&apos;&amp;lt;</loc></url>
        <url><loc>https://shop.example/1#top</loc></url>
        <url><loc> <![CDATA[https://shop.example/3?a=1&b=2]]> </loc></url>
      </urlset>`,
  });
  const prewarm = { sitemap: 'map/sitemap.xml', paths: ['/0'], origin: ORIGIN, blocksReady: true };
  const server = prewarming(prewarm, undefined, { files: { folder: browserFolder } });
  await server.handler.ready();
  expect(paths(server)).toEqual(
    ['/0', '/1', '/2?a=1&b=2', '/3?a=1&b=2', "/'&lt;", '/caf%C3%A9'].sort(),
  );
  // Matrix parameters, as `;`, are never stored.
  expect(server.errors.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^\/'&lt; is not prewarmed: it may not be cached/),
  ]);
});

it.each([
  ['is not there', {}],
  [
    'has addresses that are none',
    { 'browser/sitemap.xml': '<url><loc>/p</loc></url><url><loc>mailto:x</loc></url>' },
  ],
  [
    'lists sitemaps',
    {
      'browser/sitemap.xml':
        '<sitemapindex xmlns="x"><sitemap><loc>http://localhost/a.xml</loc></sitemap></sitemapindex>',
    },
  ],
  ['is none', { 'browser/sitemap.xml': '<!doctype html>' }],
])('prewarm: a sitemap that %s is reported, and the paths are rendered', async (_name, files) => {
  const browserFolder = writeBuiltSite({ 'browser/robots.txt': '', ...files });
  const prewarm = { sitemap: 'sitemap.xml', paths: ['/p'], origin: ORIGIN, blocksReady: true };
  const server = prewarming(prewarm, undefined, { files: { folder: browserFolder } });
  await server.handler.ready();
  expect(server.errors.map(({ code }) => code)).toEqual(['NG_SSR_PREWARM_FAILED']);
  expect(server.errors[0]!.message).toContain('sitemap.xml');
  expect(paths(server)).toEqual(['/p']);
});

it('prewarm: an entry of a sitemap that is no URL is skipped, and the others are rendered', async () => {
  const browserFolder = writeBuiltSite({
    'browser/sitemap.xml':
      '<url><loc>/1</loc></url><url><loc>https://shop.example/2</loc></url><url><loc></loc></url>',
  });
  const prewarm = { sitemap: 'sitemap.xml', origin: ORIGIN, blocksReady: true };
  const server = prewarming(prewarm, undefined, { files: { folder: browserFolder } });
  await server.handler.ready();
  expect(paths(server)).toEqual(['/2']);
  expect(server.errors.map(({ message }) => message)).toEqual([
    'the sitemap sitemap.xml has 2 <loc> without an absolute URL, which are skipped: /1',
  ]);
});

it('prewarm: a huge concurrency takes no more than the pages need', async () => {
  const server = prewarming({
    paths: ['/1', '/2'],
    origin: ORIGIN,
    blocksReady: true,
    concurrency: 1e9,
  });
  await server.handler.ready();
  expect(server.requests).toHaveLength(2);
});

it('prewarm: what was prerendered is not rendered again', async () => {
  const browserFolder = writeBuiltSite({
    'browser/index.html': prerendered('home'),
    'browser/sitemap.xml':
      '<url><loc>https://shop.example/</loc></url><url><loc>https://shop.example/p</loc></url>',
  });
  const prewarm = { sitemap: 'sitemap.xml', origin: ORIGIN, blocksReady: true };
  const server = prewarming(prewarm, undefined, { files: { folder: browserFolder } });
  await server.handler.ready();
  expect(paths(server)).toEqual(['/p']);
});

/** A server whose prewarming takes a while, because it has many pages. */
function prewarmingSlowly(): StoredServer {
  return prewarming(
    { paths: Array.from({ length: 100 }, (_, i) => `/${i}`), origin: ORIGIN },
    async () => {
      await turn();
      return html('page', SHARED);
    },
  );
}

it('prewarm: requests are answered meanwhile', async () => {
  const server = prewarmingSlowly();
  void server.handler.ready();
  await until(() => server.requests.length > 0);
  expect((await server.get('/p')).status).toBe(200);
  expect(server.requests.length).toBeLessThan(100);
  await until(() => server.requests.length === 101);
});

it('prewarm: it ends when the handler is closed', async () => {
  const server = prewarmingSlowly();
  await server.handler.ready();
  await until(() => server.requests.length > 2);
  await server.handler.close();
  const { length } = server.requests;
  for (let i = 0; i < 20; i++) await turn();
  expect(server.requests.length).toBeLessThanOrEqual(length + 1);
});

it('prewarm: nothing is rendered where nothing is stored', async () => {
  const server = prewarming({ paths: ['/p'], origin: ORIGIN, blocksReady: true }, undefined, {
    files: { folder: '/nowhere/browser' },
  });
  await server.handler.ready();
  expect(server.requests).toEqual([]);
});

it('prewarm: a page that may not be stored is reported', async () => {
  const server = prewarming({ paths: ['/p', '/q'], origin: ORIGIN, blocksReady: true }, ({ url }) =>
    html('page', url.endsWith('/q') ? SHARED : { 'cache-control': 'no-store' }),
  );
  await server.handler.ready();
  expect(server.errors.map(({ message }) => message)).toEqual([
    '/p is not prewarmed: it may not be cached (Cache-Status: ng-ssr; fwd=uri-miss; detail=no-store)',
  ]);
});

const WARM = { paths: ['/'], origin: ORIGIN };

const WRONG: readonly Refusal[] = [
  [new Map(), 'withPrewarm', '[object Map]', 'an object'],
  [{ ...WARM, headers: { 'a b': 'x' } }, 'withPrewarm.headers', '', 'an object of'],
  [{ ...WARM, headers: { '': 'x' } }, 'withPrewarm.headers', '', 'an object of'],
  [{ ...WARM, headers: { a: 'x\n' } }, 'withPrewarm.headers', '', 'an object of'],
  [{ ...WARM, headers: new Map() }, 'withPrewarm.headers', '', 'an object of'],
  [{ ...WARM, headers: new Headers() }, 'withPrewarm.headers', '', 'an object of'],
  [null, 'withPrewarm', 'null', 'an object'],
  [{ origin: ORIGIN }, 'withPrewarm', '', 'paths or sitemap'],
  [{ origin: ORIGIN, paths: '/p' }, 'withPrewarm.paths', '"/p"', 'a list of paths'],
  [{ origin: ORIGIN, paths: ['p'] }, 'withPrewarm.paths', 'p', 'a list of paths'],
  [{ origin: ORIGIN, sitemap: '' }, 'withPrewarm.sitemap', '""', "a file's path"],
  [{ paths: ['/'] }, 'withPrewarm.origin', 'missing', 'an origin'],
  [{ paths: ['/'], origin: 'x' }, 'withPrewarm.origin', '"x"', 'an origin'],
  [{ paths: ['/'], origin: `${ORIGIN}/` }, 'withPrewarm.origin', '"http', 'an origin'],
  [{ paths: ['/'], origin: 'ftp://shop.example' }, 'withPrewarm.origin', '"ftp:', 'an origin'],
  [{ ...WARM, headers: 'x' }, 'withPrewarm.headers', '"x"', 'an object of request headers'],
  [{ ...WARM, headers: { cookie: 7 } }, 'withPrewarm.headers', '', 'an object of request headers'],
  [{ ...WARM, concurrency: 0 }, 'withPrewarm.concurrency', '0', 'a whole number'],
  [{ ...WARM, blocksReady: 'yes' }, 'withPrewarm.blocksReady', '"yes"', 'true or false'],
];

it.each<Refusal>(WRONG)('withPrewarm(%j) is refused: %s', (options, ...named) => {
  expectRefused({ features: [withPrewarm(options as never)] }, ...named);
});
