import type { AskedCall } from '../asked-call.ts';
import { trimOws } from '../../http/optional-whitespace.ts';

/** The keys of a call that may be shared by renders. */
export interface CallKey {
  /** Of stored responses, without the fields that a response names in Vary. */
  readonly primary: string;
  /** Of calls under way: those that are equal in all. */
  readonly flight: string;
}

/**
 * Fields of the standards. A response that depends on one names it in Vary (RFC 9110 section 12.5.5). Any other field
 * may be a token or a tenant's name whose effect an API never states, and is part of the key.
 */
const NEGOTIATED = new Set([
  ...['accept', 'accept-charset', 'accept-encoding', 'accept-language', 'user-agent', 'referer'],
  ...['origin', 'dnt', 'save-data', 'priority', 'content-type', 'cache-control', 'pragma'],
]);

/** Fields that follow a request through systems: each has a value of its own, and no response depends on it. */
const TRACING = new Set([
  ...['traceparent', 'tracestate', 'baggage', 'b3', 'sentry-trace', 'x-request-id'],
  ...['x-correlation-id', 'x-amzn-trace-id', 'x-cloud-trace-context', 'uber-trace-id'],
]);

/** Vary on these is satisfied by the key. */
const CREDENTIALS = new Set(['authorization', 'cookie']);

/**
 * The keys of a call; undefined if it is for one render alone. Parts are joined by line feeds, which no part contains.
 * The key of no page begins with this word: those begin with an origin.
 */
export function keyOf(call: AskedCall): CallKey | undefined {
  const { method, url, headers, forwarded, rule, redirect, cache, body } = call;
  if ((method !== 'GET' && method !== 'HEAD') || body !== null) return undefined;
  const { headers: named = [], cookies = [] } = rule.cache?.vary ?? {};
  if (headers.has('proxy-authorization')) return undefined;
  if (headers.has('authorization') && !named.includes('authorization')) return undefined;
  const sent = named.includes('cookie') ? undefined : cookiesOf(headers.get('cookie'));
  if (sent?.some(([name]) => !cookies.includes(name)) === true) return undefined;

  let primary = `call\n${url.href}`;
  let others = '';
  if (redirect !== 'follow') primary += `\n\n${redirect}`;
  for (const [name, value] of headers) {
    if (name === 'cookie' && sent !== undefined) continue;
    const part = `\n${name}:${value}`;
    const isNamed = forwarded.includes(name) || named.includes(name);
    if (isNamed || !(NEGOTIATED.has(name) || TRACING.has(name))) primary += part;
    else if (!TRACING.has(name)) others += part;
  }
  for (const [name, value] of sent ?? []) primary += `\n;${name}=${value}`;
  return { primary, flight: `${method} ${cache} ${primary}\n${others}` };
}

/** The key of one variant of a response whose Vary names these fields (RFC 9111 section 4.1). */
export function variantKeyOf(primary: string, names: readonly string[], headers: Headers): string {
  let key = `${primary}\n`;
  for (const name of names) {
    const value = headers.get(name);
    key += value === null ? `\n${name}-` : `\n${name}=${trimOws(value)}`;
  }
  return key;
}

/** The fields that complete the key of a response. */
export function variantFieldsOf(headers: Headers): readonly string[] {
  const names = (headers.get('vary') ?? '').split(',').map((name) => trimOws(name).toLowerCase());
  return [...new Set(names)].filter((name) => name !== '' && !CREDENTIALS.has(name)).sort();
}

/** Name and value of each cookie, in an order that does not depend on the client. */
function cookiesOf(field: string | null): (readonly [name: string, value: string])[] {
  const pairs = (field ?? '').split(';').map(trimOws);
  return pairs
    .filter((pair) => pair !== '')
    .map((pair) => {
      // Without a name it is none that a rule can name.
      const at = pair.indexOf('=');
      return [trimOws(pair.slice(0, Math.max(0, at))), trimOws(pair.slice(at + 1))] as const;
    })
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
}
