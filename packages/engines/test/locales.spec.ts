import {
  ɵgetOrCreateAngularServerApp,
  ɵsetAngularAppEngineManifest,
  ɵsetAngularAppManifest,
} from '@angular/ssr';
import { SsrHandler } from '@ng-ssr/core/adapter';
import { afterEach, expect, it, vi } from 'vitest';
import { prerendered, writeBuiltSite } from '../../core/test/built-site.ts';
import { plainExchange } from '../../core/test/plain-exchange.ts';
import { appEngine, commonEngine } from '../src/index.ts';
import { bootstrap, document } from './fixture/app.ts';
import { createAppEngine } from './fixture/built-app.ts';
import { setManifests } from './fixture/manifests.ts';
import { request } from './fixture/engine-suite.ts';

const PRERENDER = 2;
const page = prerendered('Über uns');
const routes = { '/de/about': {}, '/de/own': { headers: { 'Content-Language': 'de-AT' } } };

/** A build whose only locale has a folder of its own, as the Angular CLI makes it. */
function setLocalizedManifests(): void {
  ɵsetAngularAppEngineManifest({
    basePath: '/',
    allowedHosts: [],
    supportedLocales: { 'de-CH': 'de' },
    entryPoints: { de: async () => ({ ɵgetOrCreateAngularServerApp }) },
  } as never);
  ɵsetAngularAppManifest({
    bootstrap: async () => bootstrap,
    baseHref: '/de/',
    locale: 'de-CH',
    routes: Object.entries(routes).map(([route, declared]) => ({
      route,
      renderMode: PRERENDER,
      ...declared,
    })),
    entryPointToBrowserMapping: {},
    assets: {
      'about/index.html': { size: page.length, hash: 'h', text: async () => page },
      'own/index.html': { size: page.length, hash: 'h', text: async () => page },
    },
  } as never);
}

function languageOf(handler: SsrHandler, target: string): string | undefined {
  const { headers = [] } = handler.answer(plainExchange(target)) ?? {};
  const at = headers.findIndex((name) => name.toLowerCase() === 'content-language');
  return at === -1 ? undefined : headers[at + 1];
}

const create = (): SsrHandler =>
  new SsrHandler({
    engine: appEngine(),
    allowedHosts: ['localhost'],
    files: {
      folder: writeBuiltSite({
        'browser/de/about/index.html': page,
        'browser/de/own/index.html': page,
        'browser/de/main.js': '1',
        'prerendered-routes.json': JSON.stringify({ routes }),
      }),
    },
  });

afterEach(() => setManifests(bootstrap));
afterEach(() => vi.unstubAllGlobals());

it('prerendered pages have the language that Angular sends with them', async () => {
  setLocalizedManifests();
  const handler = create();
  for (const target of ['/de/about', '/de/own']) {
    const rendered = await createAppEngine()(request(target));
    const language = rendered?.headers.get('content-language');
    expect(language).toBe(target === '/de/own' ? 'de-AT' : 'de-CH');
    expect(languageOf(handler, target)).toBe(language);
  }
  expect(languageOf(handler, '/de/main.js')).toBeUndefined();
});

it('pages of a build without locales have none', () => {
  setManifests(bootstrap);
  expect(languageOf(create(), '/de/about')).toBeUndefined();
});

it('pages of CommonEngine have the language of their bundle, prerendered and rendered', async () => {
  vi.stubGlobal('ngServerMode', true);
  // What a localized bundle does before its code runs, and the next one after it.
  vi.stubGlobal('$localize', { locale: 'de-CH' });
  const engine = commonEngine({ bootstrap });
  vi.stubGlobal('$localize', { locale: 'fr' });
  const handler = new SsrHandler({
    engine,
    allowedHosts: ['localhost'],
    files: {
      folder: writeBuiltSite({
        'browser/about/index.html': page,
        'browser/main.js': '1',
        // Of a locale below one whose "subPath" is empty.
        'browser/fr/index.csr.html': document,
        'browser/fr/about/index.html': page,
        'server/index.server.html': document,
      }),
    },
  });
  expect(languageOf(handler, '/about')).toBe('de-CH');
  expect(languageOf(handler, '/main.js')).toBeUndefined();
  expect(languageOf(handler, '/fr/about')).toBeUndefined();
  const { browserFolder } = handler;
  engine.setup?.({
    allowedHosts: ['shop.example'],
    trustProxyHeaders: false,
    browserFolder,
  });
  const rendered = await engine(request('/provided'));
  expect(rendered?.headers.get('content-language')).toBe('de-CH');
});

it('renders the pages of a host in the locale that the host has at its root', async () => {
  const app = (locale: string): object => ({
    manifest: { bootstrap: async () => bootstrap, assets: {} },
    handle: async ({ url }: Request) => new Response(`${locale} ${new URL(url).pathname}`),
  });
  const entryOf = (locale: string) => async () => ({
    ɵgetOrCreateAngularServerApp: () => app(locale),
  });
  ɵsetAngularAppEngineManifest({
    basePath: '/',
    allowedHosts: [],
    supportedLocales: { 'de-CH': 'de', fr: 'fr', en: 'en' },
    entryPoints: { de: entryOf('de'), fr: entryOf('fr'), en: entryOf('en') },
  } as never);
  const engine = appEngine();
  engine.setup?.({
    allowedHosts: ['*.example'],
    trustProxyHeaders: false,
    browserFolder: undefined,
    hostLocales: {
      hosts: { 'shop-de.example': 'de-CH', 'shop-fr.example': 'fr' },
      others: undefined,
      otherPaths: ['/en'],
    },
  });
  const get = async (url: string): Promise<string | undefined> =>
    (await engine(new Request(url)))?.text();
  expect(await get('http://shop-de.example/about')).toBe('de /about');
  expect(await get('https://shop-fr.example:8443/de/about')).toBe('fr /de/about');
  expect(await get('http://shop.example/de/about')).toBe('de /de/about');
  expect(await get('http://shop.example/about')).toBeUndefined();
  expect(await get('http://shop-de.example/en/about')).toBe('en /en/about');
  expect(await get('http://shop-de.example/en')).toBe('en /en');
  expect(await get('http://shop-de.example/end')).toBe('de /end');
});

it('allLocales is checked, and has no effect in a program without bundles of other locales', () => {
  const create = (allLocales: unknown) => () =>
    commonEngine({ bootstrap, allLocales: allLocales as boolean });
  expect(create('yes')).toThrow(
    'commonEngine.allLocales is "yes" (string); allowed: true or false',
  );
  expect(create(true)().locales?.()).toEqual({});
});
