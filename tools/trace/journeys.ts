import { callJourneys } from './call-journeys.ts';
import { featureJourneys } from './feature-journeys.ts';
import { again, type Journey, purge, third } from './journey.ts';
import { localeJourneys } from './locale-journeys.ts';
import { FAILING_ROUTE } from './servers.ts';
import { threadJourneys } from './thread-journeys.ts';

/** The ways a request can go, by name. */
export const journeys: Readonly<Record<string, Journey>> = {
  hit: { ...again({ target: '/' }), status: 200, cacheStatus: /hit/, isHit: true },
  'stored-hit': { ...again({ target: '/stored/1' }), status: 200, cacheStatus: /hit/, isHit: true },
  'not-modified': {
    before: [{ target: '/' }, { target: '/' }],
    ask: ({ headers }) => ({ target: '/', headers: { 'if-none-match': headers.etag! } }),
    status: 304,
    isHit: true,
  },
  'stored-miss': { ...third('/stored'), status: 200, cacheStatus: /stored/ },
  'ruled-miss': {
    ...third('/ruled'),
    status: 200,
    cacheStatus: /stored/,
    options: { routeRules: { '/ruled/**': { sMaxAge: 60 } } },
  },
  'private-miss': { ...third('/private'), status: 200, cacheStatus: /fwd/ },
  stale: {
    before: [{ target: '/stored/1' }, { target: '/stored/2' }, purge('/stored/2')],
    ask: () => ({ target: '/stored/2' }),
    status: 200,
    cacheStatus: /ttl=-/,
  },
  'large-file': { ...again({ target: '/large.bin' }), status: 200 },
  shed: {
    ...third('/private'),
    meanwhile: { target: '/slow/1' },
    status: 503,
    options: { render: { concurrency: 1, maxQueued: 0 } },
  },
  purge: {
    before: [{ target: '/stored/1' }, { target: '/stored/2' }, purge('/stored/1')],
    ask: () => purge('/stored/2'),
    status: 200,
  },
  'not-found': { ...third('/nowhere'), status: 404 },
  'purged-miss': {
    before: [
      { target: '/stored/1' },
      { target: '/stored/2' },
      purge('/stored/1', true),
      purge('/stored/2', true),
    ],
    ask: () => ({ target: '/stored/2' }),
    status: 200,
    cacheStatus: /stored/,
  },
  'failing-route': { ...again({ target: FAILING_ROUTE }), status: 500 },
  ...callJourneys,
  ...localeJourneys,
  ...featureJourneys,
  ...threadJourneys,
};
