import { createHash } from 'node:crypto';
import {
  withDictionaries,
  withEarlyHints,
  withInspector,
  withNonce,
  withPublicConfig,
  withOldBuilds,
} from '@ng-ssr/core';
import { page, type SiteFiles, STYLES } from './built-site.ts';
import type { Ask } from './client.ts';
import { again, type Journey, OPTIONS, third } from './journey.ts';

/** A home page that browsers keep, as dictionaries need it. */
const KEPT = { 'Cache-Control': 'public, max-age=0, s-maxage=3600, stale-while-revalidate=86400' };
const HOME = page('Home');
const WITH_DICTIONARY: SiteFiles = {
  'prerendered-routes.json': JSON.stringify({ routes: { '/': { headers: KEPT } } }),
  'browser/index.html': HOME,
};
const DICTIONARY = createHash('sha256').update(HOME).digest('base64');

function having(encoding: 'dcb' | 'dcz'): Readonly<Record<string, string>> {
  return { 'accept-encoding': encoding, 'available-dictionary': `:${DICTIONARY}:` };
}

function dictionaryHit(encoding: 'dcb' | 'dcz'): Journey {
  return {
    ...again({ target: '/stored/1', headers: having(encoding) }),
    files: WITH_DICTIONARY,
    options: { features: [withDictionaries()] },
    status: 200,
    cacheStatus: /hit/,
    headers: { 'content-encoding': new RegExp(encoding) },
    isHit: true,
  };
}

const PLACEHOLDER = 'bm9uY2UtaGVyZQ';
const POLICY = `script-src 'nonce-${PLACEHOLDER}'`;
const WITH_NONCE: SiteFiles = {
  'prerendered-routes.json': JSON.stringify({ routes: { '/': {} } }),
  'browser/index.html': page('Home', `<script nonce="${PLACEHOLDER}">1</script>`),
};

const WITH_LINKS: SiteFiles = {
  'browser/index.csr.html': page('App', `<base href="/">${STYLES}`),
  'browser/styles.css': 'html{}',
};

/** A build beside an earlier one. */
const TWO_BUILDS: SiteFiles = {
  'browser/index.csr.html': page('App', '<base href="/">'),
  'browser/main-CURRENT2.js': 'export {};',
  'earlier/browser/main-EARLIER2.js': 'export {};',
  'earlier/browser/main-EARLIER3.js': 'export {};',
};

function skew(before: readonly string[], last: string): Journey {
  return {
    before: before.map((target) => ({ target })),
    ask: () => ({ target: last }),
    files: TWO_BUILDS,
    options: ({ folder }) => ({
      features: [...OPTIONS.features, withOldBuilds({ previous: [`${folder}/earlier/browser`] })],
    }),
    status: 200,
  };
}

const INSPECTOR = { path: '/_ng-ssr/inspector', token: 'a-token-for-traces' };

/** Asks the inspector how it would answer a request. */
const EXPLAIN: Ask = {
  target: `${INSPECTOR.path}/explain`,
  method: 'POST',
  headers: {
    'content-type': 'application/json',
    authorization: `Bearer ${INSPECTOR.token}`,
  },
  body: JSON.stringify({ url: '/stored/1' }),
};

/** One option each. */
export const featureJourneys: Readonly<Record<string, Journey>> = {
  'dcb-hit': dictionaryHit('dcb'),
  'dcz-hit': dictionaryHit('dcz'),
  'early-hints': {
    ...third('/linked', { 'sec-fetch-mode': 'navigate' }),
    files: WITH_LINKS,
    options: { features: [...OPTIONS.features, withEarlyHints()] },
    status: 200,
    interim: 1,
    // Hono on Node cannot send them.
    adapters: ['node', 'koa'],
  },
  'nonce-hit': {
    ...again({ target: '/' }),
    files: WITH_NONCE,
    options: {
      features: [...OPTIONS.features, withNonce({ placeholder: PLACEHOLDER, policy: POLICY })],
    },
    status: 200,
    headers: { 'content-security-policy': /nonce-(?!bm9uY2UtaGVyZQ)/ },
    isHit: true,
  },
  'public-config-hit': {
    ...again({ target: '/' }),
    options: {
      features: [...OPTIONS.features, withPublicConfig({ apiUrl: 'https://api.example/' })],
    },
    status: 200,
    cacheStatus: /hit/,
    isHit: true,
  },
  // Its state is not traced: that has an entry for each second of the server.
  explain: {
    before: [{ target: '/stored/1' }, EXPLAIN, EXPLAIN],
    ask: () => EXPLAIN,
    options: { features: [...OPTIONS.features, withInspector(INSPECTOR)] },
    status: 200,
    hasTicks: true,
  },
  'csr-page': {
    ...third('/csr'),
    files: WITH_LINKS,
    options: { routeRules: { '/csr/**': { ssr: false } } },
    status: 200,
  },
  // Of several builds the server first looks for a file, and then has it as its own.
  'earlier-file': skew(['/main-CURRENT2.js', '/main-EARLIER3.js'], '/main-EARLIER2.js'),
  'earlier-file-hit': {
    ...skew(['/main-EARLIER2.js', '/main-EARLIER2.js', '/main-EARLIER2.js'], '/main-EARLIER2.js'),
    isHit: true,
  },
};
