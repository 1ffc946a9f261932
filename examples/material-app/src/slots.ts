import { setTimeout as wait } from 'node:timers/promises';
import { withSlots } from '@ng-ssr/node';
import { cart, recommendations } from './api/shop';
import { userOf } from './api/visitor';

/** SLOT_DELAY_MS: how many milliseconds the carts take, as if they were far away. */
const delayMs = Number(process.env['SLOT_DELAY_MS'] || 0);

/** Only visitors with a name: all others keep the cached page with its ETag. */
const when = ({ headers }: Request): boolean => userOf(headers.get('cookie')) !== '';
const visitorOf = ({ headers }: Request): string => userOf(headers.get('cookie'));

/** What follows the page of a visitor with the cookie `user`, whether it is cached or prerendered. */
export const slots = withSlots({
  cart: {
    when,
    fill: async (request, { signal }) => {
      await wait(delayMs, undefined, { signal });
      return cart(visitorOf(request));
    },
  },
  recommendations: {
    routes: ['/products/*'],
    when,
    fill: (request) => recommendations(visitorOf(request)),
  },
  // The page asks for it with HttpClient: `lateCalls` in app.config.ts.
  courier: { routes: ['/live/slow'], when, call: '/api/slow' },
});
