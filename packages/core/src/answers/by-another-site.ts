import type { Exchange } from '../exchange.ts';

/**
 * Whether another site made the browser request a page with the user's credentials, without a user
 * action. That site chooses the URL, and the encoded length of the page would reveal whether the page
 * contains the same text elsewhere (BREACH): see SECURITY.md.
 *
 * @see https://www.w3.org/TR/fetch-metadata/
 */
export function isByAnotherSite(exchange: Exchange): boolean {
  const site = exchange.header('sec-fetch-site');
  if (site === undefined || site === 'same-origin' || site === 'none') return false;
  if (exchange.header('sec-fetch-user') === '?1') return false;
  return exchange.header('cookie') !== undefined || exchange.header('authorization') !== undefined;
}
