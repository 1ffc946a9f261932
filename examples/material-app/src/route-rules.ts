import type { RouteRule } from '@ng-ssr/node';

/** LIVE_PAGES=unstored has the pages below /live rendered for each request. */
const isStored = process.env['LIVE_PAGES'] !== 'unstored';

/** How pages are stored, for every server; most declare it themselves, with Cache-Control. */
export const routeRules: Readonly<Record<string, RouteRule>> = {
  // As long as what it is made of: the product, the stock and the letters.
  '/live/:id': isStored ? { freshness: 'calls', staleWhileRevalidate: 60 } : { cache: false },
  // They would fall under the rule above, and depend on the visitor or the query.
  '/live/account': {},
  '/live/slow': {},
  '/live/hung': {},
};
