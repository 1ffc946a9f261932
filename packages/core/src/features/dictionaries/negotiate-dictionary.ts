import type { Exchange } from '../../exchange.ts';
import type { AcceptedEncodings } from '../../http/accept-encoding.ts';
import { listsTag } from '../../http/entity-tag-list.ts';
import { type HeaderList, valueOf } from '../../http/header-list.ts';
import type { Representation } from '../../answers/representation.ts';
import type { EncodedForms } from '../../answers/resource.ts';

/**
 * The representation for a client that may have dictionaries (RFC 9842 section 2.2): the one that it has already, or
 * that encoded against its dictionary.
 *
 * @returns undefined if there is none yet, or the client may not have it.
 */
export function negotiateDictionary(
  resource: EncodedForms,
  accepted: AcceptedEncodings,
  exchange: Exchange,
): Representation | undefined {
  const { withDictionary } = resource;
  if (!withDictionary?.size || accepted.dictionaryEncodings.length === 0) return undefined;
  // No other status becomes a 304.
  const condition = exchange.status === 200 ? exchange.header('if-none-match') : undefined;
  const stored = condition === undefined ? undefined : findByTag(resource, accepted, condition);
  if (stored !== undefined) return stored;
  const forms = withDictionary.get(exchange.header('available-dictionary') ?? '');
  if (forms === undefined) return undefined;
  // Brotli finds less than Zstandard in large dictionaries, and more in small ones.
  const [smallest] = accepted.dictionaryEncodings
    .flatMap((encoding) => forms[encoding] ?? [])
    .sort((a, b) => a.full.body!.byteLength - b.full.body!.byteLength);
  return isReadable(exchange, smallest?.full.headers ?? []) ? smallest : undefined;
}

/**
 * The representation that a client has stored. Its dictionary may have changed since, or the encoding against it may have
 * been made since: the content is the same, and the answer a 304.
 */
function findByTag(
  { encoded, withDictionary }: EncodedForms,
  { encodings, dictionaryEncodings }: AcceptedEncodings,
  condition: string,
): Representation | undefined {
  if (condition.trim() === '*') return undefined;
  const forms = [...withDictionary!.values()];
  const all = [
    ...encodings.map((encoding) => (encoding === 'identity' ? undefined : encoded[encoding])),
    ...forms.flatMap((each) => dictionaryEncodings.map((encoding) => each[encoding])),
  ];
  const stored = all.find((one) => one?.etag !== undefined && listsTag(condition, one.etag));
  return stored?.full.status === 200 ? stored : undefined;
}

/**
 * Whether the site that has made the browser send the request may read the answer: else the length of an answer
 * encoded against a dictionary would tell what is in both (RFC 9842 section 9.3.3).
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
