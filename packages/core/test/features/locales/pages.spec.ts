import { expect, test } from 'vitest';
import { type RouteRule, type SsrOptions, withCalls, withLocales } from '@ng-ssr/core';
import { headerOf } from '../../header-of.ts';
import { ask, createSite, FILES, textOf } from './localized-site.ts';

const hosts = { 'shop.ar': 'ar', 'shop.fr': 'fr' };
const shared: RouteRule = { sMaxAge: 60 };

/** A server whose pages count their renders. */
function counting(options: Partial<SsrOptions>) {
  let renders = 0;
  const site = createSite(
    options,
    ({ url }) => new Response(`${new URL(url).pathname} ${++renders}`),
  );
  return (target: string, headers?: Record<string, string>) =>
    ask(site, target, headers).then(textOf);
}

test('prerendered pages have the headers of their route and the language of their locale', async () => {
  const site = createSite({ features: [withLocales({ hosts })] });
  const french = await ask(site, '/fr/about');
  expect(headerOf(french, 'content-language')).toBe('fr');
  const arabic = await ask(site, '/about', { host: 'shop.ar' });
  expect([headerOf(arabic, 'content-language'), headerOf(arabic, 'x-of')]).toEqual(['ar', 'ar']);
  expect(headerOf(arabic, 'link')).toBeUndefined();
});

test('a path without a page gets the 404 page of its locale', async () => {
  const site = createSite({ features: [withLocales({ hosts, fallback: 'en' })] }, () => null);
  for (const [target, host, text] of [
    ['/fr/nowhere', 'localhost', '404 fr'],
    ['/en/nowhere', 'localhost', '404 en'],
    ['/nowhere', 'shop.ar', '404 ar'],
    // Not redirected, as it is named like a file.
    ['/nowhere.php', 'localhost', '404 en'],
  ] as const) {
    const answer = await ask(site, target, { host });
    expect([target, answer.status, textOf(answer)]).toEqual([
      target,
      404,
      expect.stringContaining(text),
    ]);
  }
  expect((await ask(site, '/fr/404.html')).status).toBe(404);
});

test('without the option too, and a locale without a page of its own has that of the build', async () => {
  const { 'browser/en/404.html': _, ...rest } = FILES;
  const site = createSite({}, () => null, { ...rest, 'browser/404.html': '404 of all' });
  expect(textOf(await ask(site, '/fr/nowhere'))).toContain('404 fr');
  expect(textOf(await ask(site, '/en/nowhere'))).toBe('404 of all');
  expect(textOf(await ask(site, '/nowhere'))).toBe('404 of all');
});

test('a named error page is found in each locale, and may not be its home page', async () => {
  const errorPages = { 404: '/only' } as const;
  const site = createSite({ errorPages }, () => null);
  expect(textOf(await ask(site, '/fr/nowhere'))).toContain('only fr');
  expect(() => createSite({ errorPages: { 404: '/missing' } })).toThrow('errorPages.404');
  expect(() => createSite({ errorPages: { 404: '/index.html' } })).toThrow('errorPages.404');
});

test('a request that gets no page in time has the CSR page of its locale', async () => {
  const never = () => new Promise<Response>(() => undefined);
  const render = { maxWaitMs: 1, fallbacks: ['csr'] } as const;
  const options = { features: [withLocales({ hosts })], render, onError: () => undefined };
  const site = createSite(options, never);
  expect(textOf(await ask(site, '/fr/x'))).toContain('<base href="/fr/">');
  expect(textOf(await ask(site, '/x', { host: 'shop.ar' }))).toContain('<base href="/">');
});

test('a rule applies to its route in all locales, or in one', async () => {
  const get = counting({
    routeRules: { '/products/:id': shared, '/fr/products/2': { cache: false } },
    features: [withLocales({ hosts })],
  });
  expect(await get('/fr/products/1')).toBe('/fr/products/1 1');
  expect(await get('/fr/products/1')).toBe('/fr/products/1 1');
  expect(await get('/en/products/1')).toBe('/en/products/1 2');
  expect(await get('/products/1', { host: 'shop.ar' })).toBe('/products/1 3');
  expect(await get('/products/1', { host: 'shop.ar' })).toBe('/products/1 3');
  expect(await get('/fr/products/2')).not.toBe(await get('/fr/products/2'));
  expect(await get('/en/products/2')).toBe(await get('/en/products/2'));
});

test.each(['/fr/account', '/fr/account/', '/%66r/%61ccount', '/fr/account;a=1', '/en/account'])(
  'a private route is private in all locales, below a shared subtree too: %s',
  async (target) => {
    const get = counting({
      routeRules: { '/account': { cache: false }, '/fr/**': shared, '/**': shared },
    });
    expect(await get(target)).not.toBe(await get(target));
  },
);

test('rules that name the locale by a wildcard still apply', async () => {
  const get = counting({ routeRules: { '/:lang/account': { cache: false }, '/**': shared } });
  expect(await get('/fr/account')).not.toBe(await get('/fr/account'));
  expect(await get('/fr/x')).toBe(await get('/fr/x'));
});

test('a purge without a locale is one of the page in all locales', async () => {
  const targets = ['/fr/products/1', '/en/products/1', '/fr/products', '/fr'] as const;
  const create = () => {
    let renders = 0;
    const files = { 'browser/fr/index.csr.html': '<base href="/fr/">' };
    const page = () => new Response(String(++renders));
    return createSite({ routeRules: { '/**': shared } }, page, files);
  };
  for (const [purge, purged] of [
    [{ path: '/products/1' }, ['/fr/products/1', '/en/products/1']],
    [{ path: '/fr/products/1' }, ['/fr/products/1']],
    [{ prefix: '/products/' }, ['/fr/products/1', '/en/products/1']],
    [{ prefix: '/en/' }, ['/en/products/1']],
    [{ prefix: '/' }, targets],
    [{ path: '/' }, ['/fr']],
    [{ path: '/fr' }, ['/fr']],
  ] as const) {
    const site = create();
    const before = new Map<string, string>();
    for (const target of targets) before.set(target, textOf(await ask(site, target)));
    await site.cache.purge({ ...purge, hard: true });
    for (const target of targets) {
      const isPurged = (purged as readonly string[]).includes(target);
      const isSame = textOf(await ask(site, target)) === before.get(target);
      expect([purge, target, isSame]).toEqual([purge, target, !isPurged]);
    }
    await site.close();
  }
});

test('pages of hosts are stored apart, and purged together', async () => {
  const get = counting({
    routeRules: { '/**': shared },
    features: [withLocales({ hosts: { 'shop.ar': 'ar' }, fallback: 'ar' })],
  });
  const first = await get('/x', { host: 'shop.ar' });
  expect(await get('/x', { host: 'shop.fr' })).not.toBe(first);
  expect(await get('/x', { host: 'shop.ar' })).toBe(first);
});

test('hreflang: prerendered pages name themselves in all languages', async () => {
  const site = createSite({
    features: [
      withLocales({ hosts: { 'shop.ar': 'ar' }, fallback: 'en', hreflang: 'https://shop.example' }),
    ],
  });
  const links = [
    '<https://shop.example/en/about>; rel="alternate"; hreflang="en"',
    '<https://shop.example/fr/about>; rel="alternate"; hreflang="fr"',
    '<https://shop.ar/about>; rel="alternate"; hreflang="ar"',
    '<https://shop.example/en/about>; rel="alternate"; hreflang="x-default"',
  ].join(', ');
  expect(headerOf(await ask(site, '/en/about'), 'link')).toBe(links);
  expect(headerOf(await ask(site, '/about', { host: 'shop.ar' }), 'link')).toBe(links);
  expect(headerOf(await ask(site, '/fr/about'), 'link')).toBe(`</a>, ${links}`);
  expect(headerOf(await ask(site, '/fr/only'), 'link')).toBeUndefined();
  expect(headerOf(await ask(site, '/fr/404.html'), 'link')).toBeUndefined();
  expect(headerOf(await ask(site, '/en'), 'link')).toContain('<https://shop.example/en/>;');
});

test('relative calls of pages are resolved against the base of their locale', async () => {
  const seen: string[] = [];
  const site = createSite(
    { features: [withCalls({ '**': { inProcess: true } }), withLocales({ hosts })] },
    async () => new Response(await (await fetch('api/x')).text()),
  );
  site.useRoutes(({ url }) => {
    seen.push(new URL(url).pathname);
    return new Response('x');
  });
  for (const [target, host] of [
    ['/fr/products/1', 'localhost'],
    ['/en/deep/er', 'localhost'],
    ['/products/1', 'shop.ar'],
  ] as const) {
    expect((await ask(site, target, { host })).status).toBe(200);
  }
  expect(seen).toEqual(['/fr/api/x', '/en/api/x', '/api/x']);
});

test('a script that this build does not have is a 404 at the root of a host too, and the version is there', async () => {
  const files = {
    ...FILES,
    'browser/ar/main-ABCDEFGH.js': 'ar',
    'browser/fr/main-ABCDEFGH.js': 'fr',
  };
  const site = createSite({ features: [withLocales({ hosts })] }, undefined, files);
  for (const [target, host] of [
    ['/main-ZZZZZZZZ.js', 'shop.ar'],
    ['/fr/main-ZZZZZZZZ.js', 'localhost'],
  ] as const) {
    expect((await ask(site, target, { host })).status).toBe(404);
  }
  expect(textOf(await ask(site, '/main-ABCDEFGH.js', { host: 'shop.ar' }))).toBe('ar');
  const version = await ask(site, '/_ng-ssr/version', { host: 'shop.ar' });
  expect(textOf(version)).toContain('main-ABCDEFGH.js');
});
