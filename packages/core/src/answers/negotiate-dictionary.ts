import type { Exchange } from '../exchange.ts';
import type { AcceptedCodings } from '../http/accept-encoding.ts';
import { type HeaderList, valueOf } from '../http/header-list.ts';
import type { Representation } from './representation.ts';
import type { Resource } from './select.ts';

/**
 * The representation coded against the dictionary that a client has (RFC 9842 section 2.2).
 *
 * @returns undefined if there is none yet, or the client may not have it.
 */
export function negotiateDictionary(
  { withDictionary }: Resource,
  { dictionaryCodings }: AcceptedCodings,
  exchange: Exchange,
): Representation | undefined {
  if (withDictionary === undefined || withDictionary.size === 0) return undefined;
  if (dictionaryCodings.length === 0) return undefined;
  const forms = withDictionary.get(exchange.header('available-dictionary') ?? '');
  if (forms === undefined) return undefined;
  for (const coding of dictionaryCodings) {
    const representation = forms[coding];
    if (!representation) continue;
    return isReadable(exchange, representation.full.headers) ? representation : undefined;
  }
  return undefined;
}

/**
 * Whether the site that has made the browser send the request may read the answer: else the length of an answer
 * coded against a dictionary would tell what is in both (RFC 9842 section 9.3.3).
 *
 * @param headers - Of the answer.
 */
export function isReadable(exchange: Exchange, headers: HeaderList): boolean {
  const site = exchange.header('sec-fetch-site');
  if (site === undefined || site === 'same-origin') return true;
  const mode = exchange.header('sec-fetch-mode');
  if (mode === undefined || mode === 'navigate' || mode === 'same-origin') return true;
  if (mode !== 'cors') return false;
  const allowed = valueOf(headers, 'access-control-allow-origin');
  const origin = exchange.header('origin');
  return allowed !== undefined && origin !== undefined && (allowed === '*' || allowed === origin);
}
