import { expect, test } from 'vitest';
import { Random, seed } from '@ng-ssr/conformance/fuzz';
import { type LocalesOptions, withLocales } from '@ng-ssr/core';
import { headerOf } from '../../header-of.ts';
import { ask, createSite, FILES, textOf } from './localized-site.ts';

const BY_COOKIE: LocalesOptions = { by: ['path', 'cookie:lang'] };
const BY_LANGUAGE: LocalesOptions = { by: ['path', 'accept-language'] };
const locales: LocalesOptions = {
  by: ['path', 'host', 'cookie:lang', 'accept-language'],
  hosts: { 'shop.fr': 'fr', 'shop.ar': 'ar' },
};

const redirected: readonly [string, Record<string, string>, string, string | undefined][] = [
  ['/', {}, '/en', 'Cookie, Accept-Language'],
  ['/', { 'accept-language': 'fr-CA, en;q=0.5' }, '/fr', 'Cookie, Accept-Language'],
  ['/', { 'accept-language': 'de, *;q=0.1' }, '/en', 'Cookie, Accept-Language'],
  ['/', { 'accept-language': 'en;q=0, fr;q=0.1' }, '/fr', 'Cookie, Accept-Language'],
  ['/', { 'accept-language': ';;q=,,fr;q=nan' }, '/en', 'Cookie, Accept-Language'],
  ['/', { cookie: 'a=b; lang=FR' }, '/fr', 'Cookie'],
  ['/', { cookie: 'lang=xx', 'accept-language': 'fr' }, '/fr', 'Cookie, Accept-Language'],
  [
    '/',
    { cookie: 'lang=//evil.example', 'accept-language': 'fr' },
    '/fr',
    'Cookie, Accept-Language',
  ],
  // Arabic is at the root of a host alone.
  ['/', { cookie: 'lang=ar' }, '/en', 'Cookie, Accept-Language'],
  ['/products/1?b=2&a=1', { cookie: 'lang=fr' }, '/fr/products/1?b=2&a=1', 'Cookie'],
  ['/?utm_source=x&a=1', { cookie: 'lang=fr' }, '/fr?a=1&utm_source=x', 'Cookie'],
  ['/products//1', { cookie: 'lang=fr' }, '/fr/products//1', 'Cookie'],
  ['/FR/x', {}, '/en/FR/x', 'Cookie, Accept-Language'],
  ['/frx', {}, '/en/frx', 'Cookie, Accept-Language'],
  ['/ar/about', {}, '/en/ar/about', 'Cookie, Accept-Language'],
  ['/', { host: 'shop.fr', cookie: 'lang=en' }, '/fr', undefined],
  ['/x', { host: 'shop.fr:80', 'accept-language': 'en' }, '/fr/x', undefined],
];

test.each(redirected)('%s with %j leads to %s', async (target, headers, location, vary) => {
  const site = createSite({ features: [withLocales(locales)] });
  for (const method of ['GET', 'HEAD']) {
    const answer = await ask(site, target, headers, method);
    expect([answer.status, headerOf(answer, 'location')]).toEqual([302, location]);
    expect(headerOf(answer, 'vary')).toBe(vary);
    expect(headerOf(answer, 'cache-control')).toBe('private, no-cache');
    expect(headerOf(answer, 'content-length')).toBe('0');
  }
});

const kept: readonly [string, Record<string, string>, number, string][] = [
  ['/fr', { cookie: 'lang=en' }, 200, 'home fr'],
  ['/fr/', { 'accept-language': 'en' }, 200, 'home fr'],
  ['/fr/about', { cookie: 'lang=en' }, 200, 'about fr'],
  ['/fr/products/1', { cookie: 'lang=en' }, 200, 'page /fr/products/1'],
  ['/%66r/products/1', { cookie: 'lang=en' }, 200, 'page /fr/products/1'],
  ['/en/about', { host: 'shop.fr' }, 200, 'about en'],
  ['/', { host: 'shop.ar', cookie: 'lang=en' }, 200, 'home ar'],
  ['/about', { host: 'shop.ar', 'accept-language': 'fr' }, 200, 'about ar'],
  ['/main.js', { host: 'shop.ar' }, 200, 'ar'],
  ['/fr/about', { host: 'shop.ar' }, 200, 'about fr'],
  ['/fr/products/1', { host: 'shop.ar' }, 200, 'page /fr/products/1'],
  ['/fra', { host: 'shop.ar' }, 200, 'page /fra'],
  ['/favicon.ico', { cookie: 'lang=fr' }, 200, 'page /favicon.ico'],
  ['/ar/main.js', {}, 200, 'page /ar/main.js'],
  ['//evil.example/', { cookie: 'lang=fr' }, 400, '400 Bad Request'],
  ['/\\evil.example/', { cookie: 'lang=fr' }, 400, '400 Bad Request'],
];

test.each(kept)('%s with %j is answered with %i %s', async (target, headers, status, text) => {
  const answer = await ask(createSite({ features: [withLocales(locales)] }), target, headers);
  expect([answer.status, textOf(answer)]).toEqual([status, expect.stringContaining(text)]);
});

test("a host before the path has its locale's pages alone", async () => {
  const hosts = { 'shop.ar': 'ar' };
  const site = createSite({ features: [withLocales({ by: ['host', 'path'], hosts })] });
  expect(textOf(await ask(site, '/fr/about', { host: 'shop.ar' }))).toBe('page /fr/about');
  expect(textOf(await ask(site, '/fr/about'))).toContain('about fr');
});

test('unsafe methods are not redirected', async () => {
  const site = createSite({ features: [withLocales(locales)] });
  expect((await ask(site, '/', {}, 'POST')).status).toBe(405);
  expect((await ask(site, '/', {}, 'OPTIONS')).status).toBe(405);
});

test.each([undefined, { hreflang: 'https://a.example' }])(
  'with %j the engine decides',
  async (none) => {
    const site = createSite({ features: none ? [withLocales(none)] : [] });
    expect(textOf(await ask(site, '/products/1', { cookie: 'lang=fr' }))).toBe('page /products/1');
    expect(textOf(await ask(site, '/'))).toBe('page /');
    expect(textOf(await ask(site, '/ar/about'))).toContain('about ar');
  },
);

test('languages of a build match by language: en finds en-US, fr-CA finds fr', async () => {
  const files = {
    'browser/en-US/index.csr.html': '<base href="/en-US/">',
    'browser/fr/index.csr.html': '<base href="/fr/">',
    'browser/zh-Hant/index.csr.html': '<base href="/zh-Hant/">',
  };
  const folders = { 'en-US': 'en-US', fr: 'fr', 'zh-Hant': 'zh-Hant' };
  const site = createSite(
    { features: [withLocales({ ...BY_LANGUAGE, fallback: 'fr' })] },
    undefined,
    files,
    folders,
  );
  for (const [accept, folder] of [
    ['en', 'en-US'],
    ['en-GB', 'en-US'],
    ['en-US', 'en-US'],
    ['zh-Hant-TW', 'zh-Hant'],
    ['zh-TW, en', 'zh-Hant'],
    ['de', 'fr'],
    ['en, en-US;q=0', 'fr'],
  ] as const) {
    const answer = await ask(site, '/', { 'accept-language': accept });
    expect([accept, headerOf(answer, 'location')]).toEqual([accept, `/${folder}`]);
  }
});

test('below a base href, and with the prefix of a trusted proxy', async () => {
  const files = {
    'browser/en/index.csr.html': '<base href="/shop/en/">',
    'browser/fr/index.csr.html': '<base href="/shop/fr/">',
    'browser/fr/about/index.html': FILES['browser/fr/about/index.html']!,
  };
  const folders = { en: 'en', fr: 'fr' };
  const trustProxyHeaders = ['x-forwarded-prefix'];
  const site = createSite(
    { features: [withLocales(BY_COOKIE)], trustProxyHeaders },
    undefined,
    files,
    folders,
  );
  for (const [target, prefix, location] of [
    ['/shop/', undefined, '/shop/fr'],
    ['/shop', undefined, '/shop/fr'],
    ['/shop/x?a', '/proxy/', '/proxy/shop/fr/x?a'],
    ['/shop/x', '//evil.example', '/shop/fr/x'],
    ['/shop/x', 'https://evil.example', '/shop/fr/x'],
  ] as const) {
    const headers = { cookie: 'lang=fr', ...(prefix && { 'x-forwarded-prefix': prefix }) };
    const answer = await ask(site, target, headers);
    expect([target, headerOf(answer, 'location')]).toEqual([target, location]);
    expect(headerOf(answer, 'vary')).toBe('X-Forwarded-Prefix, Cookie');
  }
  expect(textOf(await ask(site, '/other', { cookie: 'lang=fr' }))).toBe('page /other');
  expect(textOf(await ask(site, '/shop/fr/about'))).toContain('about fr');
});

test('a locale at the root has all paths without a locale', async () => {
  const files = { ...FILES, 'browser/index.csr.html': '<base href="/">' };
  const folders = { de: '', en: 'en', fr: 'fr' };
  const site = createSite({ features: [withLocales(BY_COOKIE)] }, undefined, files, folders);
  expect(textOf(await ask(site, '/x', { cookie: 'lang=fr' }))).toBe('page /x');
  const hosts = { 'shop.fr': 'fr' };
  const create = () =>
    createSite({ features: [withLocales({ hosts })] }, undefined, files, folders);
  expect(create).toThrow('withLocales.hosts["shop.fr"] is "fr"');
});

test('hosts without an entry have a fallback that is built for the root', async () => {
  const site = createSite({
    features: [withLocales({ fallback: 'ar', hosts: { 'shop.fr': 'fr' } })],
  });
  expect(textOf(await ask(site, '/about'))).toContain('about ar');
  expect(textOf(await ask(site, '/products/1'))).toBe('page /products/1');
});

test.each([
  [
    { fallback: 'de' },
    'withLocales.fallback is "de" (string); allowed: a locale of the build: en, fr, ar',
  ],
  [{ hosts: { 'shop.de': 'de' } }, 'withLocales.hosts["shop.de"] is "de"'],
  [{ hosts: { '*.shop.de': 'fr' } }, 'withLocales.hosts["*.shop.de"]: the key must be a host name'],
  [{ hosts: { 'https://a': 'fr' } }, 'withLocales.hosts has the entry "https://a"'],
  [{ by: ['cookie:lang', 'path'] }, 'withLocales.by is ["cookie:lang", "path"]'],
  [{ by: ['path', 'host'] }, "withLocales.by contains 'host', but withLocales.hosts is missing"],
  [{ by: ['path', 'cookie:a;b'] }, 'withLocales.by is ["path", "cookie:a;b"]'],
  [{ by: ['path', 'path'] }, 'withLocales.by is ["path", "path"]'],
  [{ hreflang: 'https://shop.example/fr' }, 'withLocales.hreflang is "https://shop.example/fr"'],
  [{ hreflang: 'shop.example' }, 'withLocales.hreflang is "shop.example"'],
  [{ langs: [] }, 'there is no option withLocales.langs'],
] as const)('%j is refused', (wrong, message) => {
  expect(() => createSite({ features: [withLocales(wrong as unknown as LocalesOptions)] })).toThrow(
    message,
  );
});

test('an option without locales in the build is reported', () => {
  const errors: string[] = [];
  const onError = (error: Error): void => void errors.push(error.message);
  createSite({ features: [withLocales({})], onError }, undefined, FILES, {});
  expect(errors).toEqual([expect.stringContaining('withLocales() has no effect')]);
});

test('random requests are redirected once at most, and never to another site', async () => {
  console.log(`NG_SSR_FUZZ_SEED=${seed}`);
  const random = new Random(seed);
  const site = createSite({ features: [withLocales(locales)] });
  const parts = [
    ...['/', '//', 'fr', 'en', 'ar', 'x', '%66r', ';a=1', '.', '..', '%2f', '\\', '@', ':', '?'],
    ...['evil.example', '(', ')', '*', '%00', '#', 'é'],
  ];
  const languages = ['fr', 'en', 'ar', '*', ',', ';q=0', ';q=1', '-', 'fr-CA', ' ', 'x'.repeat(99)];
  const cookies = ['lang=', 'fr', 'en', ';', ' ', '//evil', '%0d%0a', '=', '"'];
  const some = (list: readonly string[]): string =>
    Array.from({ length: random.below(6) }, () => random.pick(list)).join('');
  for (let i = 0; i < 2000; i++) {
    let target = `/${some(parts)}`;
    const headers = {
      'accept-language': some(languages),
      cookie: some(cookies),
      host: random.pick(['localhost', 'shop.fr', 'shop.ar', 'evil.example']),
    };
    let redirects = 0;
    for (;;) {
      const answer = await ask(site, target, headers);
      if (answer.status !== 302) break;
      const location = headerOf(answer, 'location')!;
      const sent = `${target} ${JSON.stringify(headers)} -> ${location} (seed ${seed})`;
      expect(location, sent).toMatch(/^\/(?:fr|en)(?:[/?]|$)/);
      expect(URL.parse(location, 'http://localhost')?.host, sent).toBe('localhost');
      expect(++redirects, sent).toBe(1);
      target = location;
    }
  }
});
