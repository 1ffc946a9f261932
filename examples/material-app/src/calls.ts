import type { CallsOptions } from '@ng-ssr/node';

/** What pages fetch while they render, for every server: all from the shop's own API. */
export const calls: CallsOptions = {
  // The catalogue, the same for all: as its Cache-Control and Cache-Tag say.
  '/api/products/**': { inProcess: true, cache: 'shared', timeoutMs: 2000 },
  '/api/reviews/*': { inProcess: true, cache: 'shared', timeoutMs: 2000 },
  '/api/stock/*': { inProcess: true, cache: 'shared', timeoutMs: 2000 },
  // One visitor's own: the cookie goes with the call, so its page is stored for none.
  '/api/account': { inProcess: true, forward: ['cookie'], timeoutMs: 2000 },
  // A page that is late is worth less than a page without the courier's estimate.
  '/api/slow': { inProcess: true, timeoutMs: 500 },
  '/api/hung': { inProcess: true, timeoutMs: 500 },
  '**': { timeoutMs: 5000 },
};
