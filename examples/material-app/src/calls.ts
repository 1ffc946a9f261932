import type { CallRule, CallRules } from '@ng-ssr/node';

/** CALLS: the catalogue's calls are `cached` (default), not (`in-process`), or neither (`socket`), to compare them. */
const way = process.env['CALLS'] || 'cached';
/** The same for all visitors: cached as Cache-Control and Cache-Tag of the API say. */
const catalogue: CallRule = {
  inProcess: way !== 'socket',
  cache: way === 'cached' && 'shared',
  timeoutMs: 2000,
};

/** What pages fetch while they render, for every server: all from the shop's own API. */
export const calls: CallRules = {
  '/api/products/**': catalogue,
  '/api/reviews/*': catalogue,
  '/api/stock/*': catalogue,
  // One visitor's own: the page asks for the cookie (`withCredentials`), so it is stored for none.
  '/api/account': { inProcess: true, forward: ['cookie'], timeoutMs: 2000 },
  // A page that is late is worth less than a page without the courier's estimate.
  '/api/slow': { inProcess: true, timeoutMs: 500 },
  '/api/hung': { inProcess: true, timeoutMs: 500 },
  '**': { timeoutMs: 5000 },
};
