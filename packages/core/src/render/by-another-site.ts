import type { Exchange } from '../exchange.ts';

/**
 * Whether a page of another site has made a browser ask for a page of somebody who is known here,
 * without a click of theirs. The length of such a page in a coding would tell that site, which chooses
 * what stands in the URL, whether the page holds the same text elsewhere (BREACH): see SECURITY.md.
 *
 * @see https://www.w3.org/TR/fetch-metadata/
 */
export function isByAnotherSite(exchange: Exchange): boolean {
  const site = exchange.header('sec-fetch-site');
  if (site === undefined || site === 'same-origin' || site === 'none') return false;
  if (exchange.header('sec-fetch-user') === '?1') return false;
  return exchange.header('cookie') !== undefined || exchange.header('authorization') !== undefined;
}
