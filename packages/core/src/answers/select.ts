import type { Answer, Exchange } from '../exchange.ts';
import { refuse, refuseRange } from './refusal.ts';
import { type AcceptedEncodings, readAcceptEncoding } from '../http/accept-encoding.ts';
import { withheldFromEdge } from '../http/edge-headers.ts';
import { listsTag } from '../http/entity-tag-list.ts';
import { valueOf } from '../http/header-list.ts';
import { parseHttpDate } from '../http/http-date.ts';
import { type ByteRange, parseRange } from '../http/range.ts';
import { fillFor } from './fill.ts';
import type { Resource } from './resource.ts';
import { type Representation, toPartial, underStatus, type Validators } from './representation.ts';

/**
 * Step 7: the representation by Accept-Encoding, then preconditions in the order of RFC 9110
 * section 13.2.2, HEAD, and ranges. Synchronous; all but ranges return a prebuilt answer. A resource that is filled for
 * each client is sent complete and unencoded.
 */
export function select(resource: Resource, asked: Exchange): Answer {
  const { choose, fill } = resource;
  const exchange = asked.client === undefined ? asked : exchangeFor(resource.identity.full, asked);
  if (fill !== undefined) return fillFor(fill, resource.identity.full, exchange);
  const accepted = readAcceptEncoding(exchange.header('accept-encoding'));
  const representation = choose?.(resource, accepted, exchange) ?? negotiate(resource, accepted);
  if (representation === undefined) return refuse('NG_SSR_NOT_ACCEPTABLE', exchange.method);
  return answerWith(representation, exchange);
}

type Head = Pick<Answer, 'status' | 'headers'>;

/** The request that selects the encoding of an answer and has preconditions: see {@link Exchange.client}. */
export function exchangeFor(answer: Head, exchange: Exchange): Exchange {
  const { client } = exchange;
  return client === undefined || isPage(answer) ? exchange : client;
}

/** Whether an answer is a page that a feature can complete. */
export function isPage({ status, headers }: Head): boolean {
  if (status !== 200 || valueOf(headers, 'content-encoding') !== undefined) return false;
  return valueOf(headers, 'content-type')?.startsWith('text/html') === true;
}

/** As {@link select}, for a representation already chosen. */
export function answerWith(representation: Representation, exchange: Exchange): Answer {
  const { full } = representation;
  const isHead = exchange.method === 'HEAD';
  const { status } = exchange;
  // Preconditions and ranges only apply where the answer would be a 200.
  if (status !== 200) {
    // What another layer answers with this status is not what an edge was told to keep.
    return underStatus({ ...full, headers: withheldFromEdge(full.headers) }, status, isHead);
  }
  if (full.status !== 200) return underStatus(full, full.status, isHead);

  switch (evaluatePreconditions(representation, exchange)) {
    case 'failed':
      return refuse('NG_SSR_PRECONDITION_FAILED', exchange.method);
    case 'not-modified':
      return representation.notModified;
    case 'passed':
  }
  if (isHead) return representation.head;

  if (full.body === null) return full;
  const header = exchange.header('range');
  if (header === undefined) return full;
  const range = selectRange(header, representation, full.body.byteLength, exchange);
  if (range === undefined) return full;
  if (range === 'unsatisfiable') return refuseRange(full.body.byteLength);
  return toPartial(full, full.body, range.first, range.last);
}

/**
 * The representation by Accept-Encoding.
 *
 * The status does not depend on which encodings are made so far: a client that refuses identity and
 * accepts an encoding of ours gets identity until it is made, as RFC 9110 section 12.5.3 allows.
 */
export function negotiate<Form>(
  resource: Resource<Form>,
  { encodings, takesEncoded }: AcceptedEncodings,
): Form | undefined {
  for (let i = 0; i < encodings.length; i++) {
    const encoding = encodings[i]!;
    if (encoding === 'identity') return takesEncoded ? resource.unencoded : resource.identity;
    const representation = resource.encoded[encoding];
    if (representation !== undefined) return representation;
  }
  return resource.isEncoded && encodings.length > 0 ? resource.unencoded : undefined;
}

/** RFC 9110 section 13.2.2 for GET and HEAD. */
export function evaluatePreconditions(
  { etag, lastModifiedMs }: Validators,
  exchange: Exchange,
): 'passed' | 'failed' | 'not-modified' {
  const ifMatch = exchange.header('if-match');
  if (ifMatch !== undefined) {
    if (ifMatch !== '*' && (etag === undefined || !listsTag(ifMatch, etag, true))) return 'failed';
  } else if (lastModifiedMs !== undefined) {
    const ifUnmodifiedSince = exchange.header('if-unmodified-since');
    const sinceMs = ifUnmodifiedSince === undefined ? undefined : parseHttpDate(ifUnmodifiedSince);
    if (sinceMs !== undefined && lastModifiedMs > sinceMs) return 'failed';
  }

  const ifNoneMatch = exchange.header('if-none-match');
  if (ifNoneMatch !== undefined) {
    const matches = etag !== undefined && (ifNoneMatch === etag || listsTag(ifNoneMatch, etag));
    return matches ? 'not-modified' : 'passed';
  }
  if (lastModifiedMs !== undefined) {
    const ifModifiedSince = exchange.header('if-modified-since');
    const sinceMs = ifModifiedSince === undefined ? undefined : parseHttpDate(ifModifiedSince);
    if (sinceMs !== undefined && lastModifiedMs <= sinceMs) return 'not-modified';
  }
  return 'passed';
}

/**
 * The range of a GET whose preconditions have passed (RFC 9110 section 14.2).
 *
 * @param header - The value of Range.
 * @param length - Of the content in bytes.
 * @returns undefined for the complete content.
 */
export function selectRange(
  header: string,
  representation: Pick<Representation, 'etag' | 'lastModifiedMs' | 'mayBeEncoded'>,
  length: number,
  exchange: Exchange,
): ByteRange | 'unsatisfiable' | undefined {
  return isRangeWanted(representation, exchange) ? parseRange(header, length) : undefined;
}

/**
 * If-Range (RFC 9110 section 13.1.5): the range applies to this representation only. Content that a
 * proxy may encode is sent without ranges (section 14.2 allows that).
 */
function isRangeWanted(
  {
    etag,
    lastModifiedMs,
    mayBeEncoded,
  }: Pick<Representation, 'etag' | 'lastModifiedMs' | 'mayBeEncoded'>,
  exchange: Exchange,
): boolean {
  if (mayBeEncoded) return false;
  const ifRange = exchange.header('if-range');
  if (ifRange === undefined) return true;
  if (ifRange.includes('"')) return ifRange === etag && !etag.startsWith('W/');
  return lastModifiedMs !== undefined && parseHttpDate(ifRange) === lastModifiedMs;
}
