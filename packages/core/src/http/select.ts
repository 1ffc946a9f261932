import type { Answer, Exchange } from '../exchange.ts';
import { refuse, refuseRange } from '../refusal.ts';
import { type ContentCoding, readAcceptEncoding } from './accept-encoding.ts';
import { listsTag } from './entity-tag-list.ts';
import { parseHttpDate } from './http-date.ts';
import { toNotModifiedFields } from './header-list.ts';
import { type ByteRange, parseRange } from './range.ts';
import { type Representation, toPartial } from './representation.ts';
import { hasContent } from './status.ts';

/** A page or file in every coding that is ready; identity always is. */
export interface Resource {
  /** For clients that take nothing else. */
  readonly identity: Representation;
  /** The same content for clients that take codings which are not here: see `mayBeCoded`. */
  readonly uncoded: Representation;
  readonly coded: { readonly [coding in ContentCoding]?: Representation };
  /** Whether it has codings, made or still to be made. */
  readonly isCoded: boolean;
}

/**
 * Step 7: the representation by Accept-Encoding, then preconditions in the order of RFC 9110
 * section 13.2.2, HEAD, and ranges. Synchronous; all but ranges return a prebuilt answer.
 */
export function select(resource: Resource, exchange: Exchange): Answer {
  const representation = negotiate(resource, exchange.header('accept-encoding'));
  if (representation === undefined) return refuse('NG_SSR_NOT_ACCEPTABLE', exchange.method);
  return answerWith(representation, exchange);
}

/** The same for a representation that is chosen already. */
export function answerWith(representation: Representation, exchange: Exchange): Answer {
  const { full } = representation;
  const isHead = exchange.method === 'HEAD';
  // Preconditions and ranges only apply where the answer would be a 200.
  if (exchange.status !== 200 || full.status !== 200) {
    const status = exchange.status !== 200 ? exchange.status : full.status;
    return underStatus(full, status, isHead);
  }

  switch (evaluatePreconditions(representation, exchange)) {
    case 'failed':
      return refuse('NG_SSR_PRECONDITION_FAILED', exchange.method);
    case 'not-modified':
      return representation.notModified;
    case 'passed':
  }
  if (isHead) return representation.head;

  if (full.body === null) return full;
  const range = selectRange(representation, full.body.byteLength, exchange);
  if (range === undefined) return full;
  if (range === 'unsatisfiable') return refuseRange(full.body.byteLength);
  return toPartial(full, full.body, range.first, range.last);
}

/** A whole answer under a status of earlier middleware, or of its own, which may have no content. */
export function underStatus({ headers, body }: Answer, status: number, isHead: boolean): Answer {
  if (hasContent(status)) return { status, headers, body: isHead ? null : body };
  const fields = toNotModifiedFields(headers);
  if (status === 205) fields.push('Content-Length', '0');
  return { status, headers: fields, body: null };
}

/**
 * The representation by Accept-Encoding.
 *
 * The status does not depend on what has been coded by now: who refuses identity and takes a coding
 * of ours gets identity until it is there, which RFC 9110 section 12.5.3 leaves to a server.
 */
export function negotiate(
  resource: Resource,
  field: string | undefined,
): Representation | undefined {
  const { codings, takesCoded } = readAcceptEncoding(field);
  for (let i = 0; i < codings.length; i++) {
    const coding = codings[i]!;
    if (coding === 'identity') return takesCoded ? resource.uncoded : resource.identity;
    const representation = resource.coded[coding];
    if (representation !== undefined) return representation;
  }
  return resource.isCoded && codings.length > 0 ? resource.uncoded : undefined;
}

/** RFC 9110 section 13.2.2 for GET and HEAD. */
export function evaluatePreconditions(
  { etag, lastModifiedMs }: Pick<Representation, 'etag' | 'lastModifiedMs'>,
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
 * The range of a GET that its preconditions have let pass (RFC 9110 section 14.2).
 *
 * @param length - Of the content in bytes.
 * @returns undefined for the whole.
 */
export function selectRange(
  representation: Pick<Representation, 'etag' | 'lastModifiedMs' | 'mayBeCoded'>,
  length: number,
  exchange: Exchange,
): ByteRange | 'unsatisfiable' | undefined {
  const field = exchange.header('range');
  if (field === undefined || !isRangeWanted(representation, exchange)) return undefined;
  return parseRange(field, length);
}

/**
 * If-Range (RFC 9110 section 13.1.5): the range counts for this very representation only. What may
 * be coded on its way has no parts yet (section 14.2 lets a server send the whole).
 */
function isRangeWanted(
  {
    etag,
    lastModifiedMs,
    mayBeCoded,
  }: Pick<Representation, 'etag' | 'lastModifiedMs' | 'mayBeCoded'>,
  exchange: Exchange,
): boolean {
  if (mayBeCoded) return false;
  const ifRange = exchange.header('if-range');
  if (ifRange === undefined) return true;
  if (ifRange.includes('"')) return ifRange === etag && !etag.startsWith('W/');
  return lastModifiedMs !== undefined && parseHttpDate(ifRange) === lastModifiedMs;
}
