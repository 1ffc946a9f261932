import { entityTag } from '#etag';
import type { Answer, Exchange } from '../exchange.ts';
import {
  chooseEncoding,
  type ContentEncoding,
  type NegotiableEncoding,
  readAcceptEncoding,
} from '../http/accept-encoding.ts';
import { parseHttpDate } from '../http/http-date.ts';
import { toNotModifiedHeaders, withHeader } from '../http/header-list.ts';
import { evaluatePreconditions } from './select.ts';
import { refuse } from './refusal.ts';
import { isByAnotherSite } from './by-another-site.ts';
import { type ContentHead, LEAST_ENCODED_BYTES, readContentHead } from './content-head.ts';
import type { ResponseHead } from '../render/sendable-response.ts';

/** An answer, and the encoding to make of its content. */
export interface Encodable {
  readonly answer: Answer;
  /** Undefined where the content is sent as it is. */
  readonly encoding: ContentEncoding | undefined;
}

/**
 * Turns a rendered response into a complete answer, not encoded yet. The body must have been read to its
 * end, so that a status is sent only with complete content.
 *
 * @param cacheStatus - For Cache-Status (RFC 9211).
 * @param encodings - Encodings that may be made of it: Vary and the ETag are those for the encoding
 * that {@link encodingFor} chooses.
 */
export function toAnswer(
  response: ResponseHead,
  body: Uint8Array,
  exchange: Exchange,
  cacheStatus: string,
  encodings: readonly ContentEncoding[],
): Encodable {
  const status = exchange.status !== 200 ? exchange.status : response.status;
  let headers: string[] = [];
  for (const [name, value] of response.headers) headers.push(name, value);
  const head = readContentHead(status, headers);
  const { values, hasContent } = head;
  if (hasContent) headers.push('content-length', String(body.byteLength));
  else if (status === 205) headers.push('content-length', '0');
  // A page without caching headers may contain personal data, so only its client may store it.
  if (!values.has('cache-control') && !values.has('expires')) {
    headers.push('cache-control', 'private, no-cache');
  }
  headers.push('cache-status', `ng-ssr; ${cacheStatus}`);

  const encoding = encodingFor(head, body, exchange, encodings);
  if (encoding === 'none') return unencoded(refuse('NG_SSR_NOT_ACCEPTABLE', exchange.method));
  if (encoding !== undefined) {
    headers = withHeader(headers, 'vary', head.varyEncoded);
  }

  const hasValidator = status === 200 && !head.isNoStore;
  const own = values.get('etag');
  const etag = hasValidator || own !== undefined ? tagOf(own, body, encoding) : undefined;
  if (etag !== undefined && etag !== own) headers = withHeader(headers, 'etag', etag);
  if (hasValidator) {
    const lastModified = values.get('last-modified');
    const lastModifiedMs = lastModified === undefined ? undefined : parseHttpDate(lastModified);
    switch (evaluatePreconditions({ etag, lastModifiedMs }, exchange)) {
      case 'failed':
        return unencoded(refuse('NG_SSR_PRECONDITION_FAILED', exchange.method));
      case 'not-modified':
        return unencoded({ status: 304, headers: toNotModifiedHeaders(headers), body: null });
      case 'passed':
    }
  }
  const isSent = hasContent && exchange.method !== 'HEAD';
  return {
    answer: { status, headers, body: isSent ? body : null },
    encoding: encoding === 'identity' ? undefined : encoding,
  };
}

function unencoded(answer: Answer): Encodable {
  return { answer, encoding: undefined };
}

/**
 * The encoding to make of a page for a client.
 *
 * @param encodings - Those that can be made; of equal weight the first is chosen.
 * @returns undefined if the page is encoded for no client, `none` if no encoding is acceptable.
 */
export function encodingFor(
  { isEncodable }: ContentHead,
  { byteLength }: Uint8Array,
  exchange: Exchange,
  encodings: readonly ContentEncoding[],
): NegotiableEncoding | 'none' | undefined {
  if (!isEncodable || encodings.length === 0 || byteLength < LEAST_ENCODED_BYTES) return undefined;
  const encoding = chooseEncoding(
    readAcceptEncoding(exchange.header('accept-encoding')),
    encodings,
  );
  if (encoding === undefined) return 'none';
  return isByAnotherSite(exchange) ? 'identity' : encoding;
}

/**
 * Weak, because a proxy may encode the page, and because the tag of an encoding is made of the unencoded page,
 * so that a 304 needs no encoding. Ranges of rendered pages are not sent anyway.
 */
function tagOf(
  own: string | undefined,
  body: Uint8Array,
  encoding: NegotiableEncoding | undefined,
): string {
  const isEncoded = encoding !== undefined && encoding !== 'identity';
  if (own !== undefined) return isEncoded && !own.startsWith('W/') ? `W/${own}` : own;
  const tag = entityTag(body, { weak: true });
  return isEncoded ? `${tag.slice(0, -1)}-${encoding}"` : tag;
}
