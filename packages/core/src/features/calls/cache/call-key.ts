import type { UntaggedCall } from '../call-request.ts';
import { trimOws } from '../../../http/optional-whitespace.ts';

export interface CallKey {
  /** Of stored responses, without the headers that a response names in Vary. */
  readonly primary: string;
  /**
   * The same in a store that processes share. It has the page's origin, as keys of pages have: environments that share the
   * store may mean other servers by the same URL.
   */
  readonly shared: string;
  /** Of calls in flight: those that are equal in all. */
  readonly flight: string;
}

/**
 * Headers of content negotiation (RFC 9110 section 12.5), which a response that depends on them names in Vary, and those that
 * speak to caches (RFC 9111 sections 5.2 and 5.4). Any other header may name a tenant, as Origin, Referer and baggage do, or
 * be a token: many APIs do not state that they depend on it, so it is part of the key.
 */
const NEGOTIATED = new Set([
  ...['accept', 'accept-charset', 'accept-encoding', 'accept-language', 'cache-control', 'pragma'],
]);

/** Ids of a request or its trace, without data of the application's: each request has another. */
export const TRACE_IDS: ReadonlySet<string> = new Set([
  ...['traceparent', 'b3', 'sentry-trace', 'x-request-id', 'x-correlation-id'],
  ...['x-amzn-trace-id', 'x-cloud-trace-context', 'uber-trace-id'],
]);

/** Vary on these is satisfied by the key. */
const CREDENTIALS = new Set(['authorization', 'cookie']);

/**
 * The keys of a call; undefined if it is for one render alone. Parts are joined by line feeds, which no part contains.
 * The key of no page begins with this word: those begin with an origin.
 */
export function keyOf(call: UntaggedCall): CallKey | undefined {
  const { method, url, headers, forwarded, rule, redirect, cache, body, pageOrigin } = call;
  const { referrer, referrerPolicy, mode } = call;
  if ((method !== 'GET' && method !== 'HEAD') || body !== null) return undefined;
  const named = rule.cache?.vary?.headers ?? [];
  if (headers.has('proxy-authorization')) return undefined;
  if (hasUnnamedAuthorization(call) || hasUnnamedCookies(call)) return undefined;
  const sent = named.includes('cookie') ? undefined : cookiesOf(headers.get('cookie'));

  let rest = url.href;
  let others = '';
  if (redirect !== 'follow') rest += `\n\n${redirect}`;
  if (referrer !== undefined) rest += `\n\nreferrer ${referrerPolicy} ${referrer}`;
  for (const [name, value] of headers) {
    if (name === 'cookie' && sent !== undefined) continue;
    const part = `\n${name}:${value}`;
    const isNamed = forwarded.includes(name) || named.includes(name);
    if (isNamed || !(NEGOTIATED.has(name) || TRACE_IDS.has(name))) rest += part;
    else if (!TRACE_IDS.has(name)) others += part;
  }
  for (const [name, value] of sent ?? []) rest += `\n;${name}=${value}`;
  const primary = `call\n${rest}`;
  // The second line ends the path by which a store bounds how many entries there are: see `pathOfKey`.
  const shared = `call\n${pageOrigin} ${rest}`;
  // The mode decides which redirects are followed.
  return { primary, shared, flight: `${method} ${cache} ${mode} ${primary}\n${others}` };
}

export function hasUnnamedAuthorization({ headers, rule }: UntaggedCall): boolean {
  const isNamed = rule.cache?.vary?.headers?.includes('authorization') === true;
  return headers.has('authorization') && !isNamed;
}

export function hasUnnamedCookies({ headers, rule }: UntaggedCall): boolean {
  const { headers: named = [], cookies = [] } = rule.cache?.vary ?? {};
  if (named.includes('cookie')) return false;
  return cookiesOf(headers.get('cookie')).some(([name]) => !cookies.includes(name));
}

/** The key of one variant of a response whose Vary names these headers (RFC 9111 section 4.1). */
export function variantKeyOf(primary: string, names: readonly string[], headers: Headers): string {
  let key = `${primary}\n`;
  for (const name of names) {
    const value = headers.get(name);
    key += value === null ? `\n${name}-` : `\n${name}=${trimOws(value)}`;
  }
  return key;
}

/** Whether a response to one request answers the other one too, as far as its Vary says. */
export function isSameVariant(response: Headers, one: Headers, other: Headers): boolean {
  return variantHeadersOf(response).every((name) => one.get(name) === other.get(name));
}

/** The headers that complete the key of a response. */
export function variantHeadersOf(headers: Headers): readonly string[] {
  const names = (headers.get('vary') ?? '').split(',').map((name) => trimOws(name).toLowerCase());
  return [...new Set(names)].filter((name) => name !== '' && !CREDENTIALS.has(name)).sort();
}

/** Name and value of each cookie, in an order that does not depend on the client. */
function cookiesOf(header: string | null): (readonly [name: string, value: string])[] {
  if (header === null) return [];
  const pairs = header.split(';').map(trimOws);
  return pairs
    .filter((pair) => pair !== '')
    .map((pair) => {
      // Without a name it is none that a rule can name.
      const at = pair.indexOf('=');
      return [trimOws(pair.slice(0, Math.max(0, at))), trimOws(pair.slice(at + 1))] as const;
    })
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}
