import type { Exchange } from '../exchange.ts';
import { isProxyHeader, type ProxyHeaderPredicate } from '../host/proxy-headers.ts';

/**
 * Fields an engine must not act on: preconditions and ranges are evaluated on what it answers
 * (RFC 9110 sections 13 and 14), and those of the connection end at this server (section 7.6.1).
 */
const WITHHELD = new Set([
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
  'if-range',
  'range',
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'content-length',
  'expect',
]);

/**
 * The request an engine renders. Its URL is made of the checked origin and target, never of the
 * received Host; it carries no abort signal, since one client's leaving must not end a render
 * that others wait for. HEAD becomes GET, for the length of the content.
 *
 * @param language - What stands in Accept-Language's place; undefined leaves it as received.
 */
export function toRequest(
  exchange: Exchange,
  url: string,
  isTrusted: ProxyHeaderPredicate,
  language?: string,
): Request {
  const headers = new Headers();
  for (const [name, value] of exchange.headers()) {
    const field = name.toLowerCase();
    if (WITHHELD.has(field) || (isProxyHeader(field) && !isTrusted(field))) continue;
    headers.append(field, value);
  }
  // Spelt as in the URL, which the page's key is made of.
  if (headers.has('host')) headers.set('host', new URL(url).host);
  if (language !== undefined) headers.set('accept-language', language);
  return new Request(url, { headers });
}
