import type { SsrOptions } from '@ng-ssr/core';
import type { Ask, Reply } from './client.ts';
import { FAILING_ROUTE } from './servers.ts';

/** One request, and what was asked before it so that it goes the way that is meant. */
export interface Journey {
  /** Asked one after another. The first of them warm the server up. */
  readonly before: readonly Ask[];
  /** A request whose render does not end before the traced request is answered. */
  readonly meanwhile?: Ask;
  /** The traced request; `last` is the reply to the last request before it. */
  readonly ask: (last: Reply) => Ask;
  /** What shows that it went that way. */
  readonly status: number;
  readonly cacheStatus?: RegExp;
  readonly options?: Partial<SsrOptions>;
}

const PURGE_ENDPOINT = { path: '/_cache/purge', token: 'a-token-for-traces' };

function purge(path: string): Ask {
  return {
    target: PURGE_ENDPOINT.path,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${PURGE_ENDPOINT.token}`,
    },
    body: JSON.stringify({ path }),
  };
}

/** Asks for two others of a kind of path, and then for a third. */
function third(kind: string): Pick<Journey, 'before' | 'ask'> {
  return {
    before: [{ target: `${kind}/1` }, { target: `${kind}/2` }],
    ask: () => ({ target: `${kind}/3` }),
  };
}

/** Asks for the same before, until a stored page has all its codings. */
function again(ask: Ask): Pick<Journey, 'before' | 'ask'> {
  return { before: [ask, ask, ask, ask], ask: () => ask };
}

/** The ways a request can go, by name. */
export const journeys: Readonly<Record<string, Journey>> = {
  hit: { ...again({ target: '/' }), status: 200, cacheStatus: /hit/ },
  'stored-hit': { ...again({ target: '/stored/1' }), status: 200, cacheStatus: /hit/ },
  'not-modified': {
    before: [{ target: '/' }, { target: '/' }],
    ask: ({ headers }) => ({ target: '/', headers: { 'if-none-match': headers.etag! } }),
    status: 304,
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
  'failing-route': { ...again({ target: FAILING_ROUTE }), status: 500 },
};

/** The options of every journey's server. */
export const OPTIONS = {
  allowedHosts: ['127.0.0.1'],
  cache: { purgeEndpoint: PURGE_ENDPOINT },
  // Without it a failure would be printed.
  onError: () => undefined,
} satisfies Partial<SsrOptions>;
