import type { Exchange } from '../../../exchange.ts';

/**
 * Whether a browser has sent the request from a page of this site, by Sec-Fetch-Site, and by Origin where a browser
 * does not send that (over plain HTTP).
 *
 * @param byDefault - For clients that send neither.
 * @see https://www.w3.org/TR/fetch-metadata/
 */
export function isSameOrigin(exchange: Exchange, byDefault: boolean): boolean {
  const site = exchange.header('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin';
  const origin = exchange.header('origin');
  if (origin === undefined) return byDefault;
  // A proxy may have ended TLS: the schemes are not compared.
  return URL.canParse(origin) && new URL(origin).host === exchange.header('host')?.toLowerCase();
}
