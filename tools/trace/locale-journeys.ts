import { withLocales } from '@ng-ssr/core';
import { page, type SiteFiles } from './built-site.ts';
import { again, type Journey, OPTIONS, third } from './journey.ts';

const documentOf = (locale: string): string => page('App', `<base href="/${locale}/">`);

const FILES: SiteFiles = {
  'prerendered-routes.json': JSON.stringify({ routes: { '/en': {}, '/fr': {} } }),
  'browser/en/index.csr.html': documentOf('en'),
  'browser/fr/index.csr.html': documentOf('fr'),
  'browser/en/index.html': page('Home', '<base href="/en/">'),
  'browser/fr/index.html': page('Accueil', '<base href="/fr/">'),
};

const localized = {
  files: FILES,
  engine: { locales: () => ({ en: 'en', fr: 'fr' }) },
  options: { features: [...OPTIONS.features, withLocales({ by: ['path', 'accept-language'] })] },
} satisfies Partial<Journey>;

/** Requests of a build with two locales. */
export const localeJourneys: Readonly<Record<string, Journey>> = {
  'locale-redirect': {
    ...again({ target: '/', headers: { accept: 'text/html', 'accept-language': 'fr' } }),
    ...localized,
    status: 302,
    headers: { location: /\/fr$/ },
  },
  'locale-hit': {
    ...again({ target: '/fr' }),
    ...localized,
    status: 200,
    cacheStatus: /hit/,
    isHit: true,
  },
  'locale-miss': { ...third('/fr/stored'), ...localized, status: 200, cacheStatus: /stored/ },
};
