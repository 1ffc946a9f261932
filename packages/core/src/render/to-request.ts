import type { Exchange } from '../exchange.ts';
import { isProxyHeader, type ProxyHeaderPredicate } from '../host/proxy-headers.ts';

/**
 * Headers that an engine must not act on: the server evaluates preconditions and ranges on the engine's answer
 * (RFC 9110 sections 13 and 14), and connection headers end at this server (section 7.6.1).
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
 * The request that an engine renders. Its URL is built from the checked origin and target, never from the
 * received Host. It has no abort signal, since a client that disconnects must not end a render that others
 * wait for. HEAD becomes GET, for the length of the content.
 *
 * @param language - Replaces Accept-Language; undefined leaves it as received.
 */
export function toRequest(
  exchange: Exchange,
  url: string,
  isTrusted: ProxyHeaderPredicate,
  language?: string,
): Request {
  // Its own headers: it would copy others.
  const request = new Request(url);
  const { headers } = request;
  for (const [name, value] of exchange.headers()) {
    const header = name.toLowerCase();
    if (isWithheld(header, isTrusted)) continue;
    // Spelt as in the URL, from which the page's key is built.
    if (header === 'host') headers.set(header, new URL(url).host);
    else headers.append(header, value);
  }
  if (language !== undefined) headers.set('accept-language', language);
  return request;
}

/** Whether an engine does not get a header (name in lower case). */
export function isWithheld(header: string, isTrusted: ProxyHeaderPredicate): boolean {
  return WITHHELD.has(header) || (isProxyHeader(header) && !isTrusted(header));
}
