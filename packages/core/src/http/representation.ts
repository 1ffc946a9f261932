import type { Answer } from '../exchange.ts';
import type { NegotiableCoding } from './accept-encoding.ts';
import { type HeaderList, toNotModifiedFields, withField } from './header-list.ts';

/**
 * One representation held in memory: the bytes of a page or file in one content coding, with
 * every answer a request for it can get made beforehand (RFC 9110 section 3.2).
 */
export interface Representation {
  readonly coding: NegotiableCoding;
  /**
   * Whether compression in front of us may code the content, because the client takes codings
   * that we have not made. One strong tag would then stand for several sequences of bytes, so the
   * tag is weak (RFC 9110 section 8.8.1).
   */
  readonly mayBeCoded: boolean;
  /** The entity tag of these very bytes; undefined where nothing may be cached. */
  readonly etag: string | undefined;
  /** When the content last changed, in milliseconds of whole seconds; undefined if unknown. */
  readonly lastModifiedMs: number | undefined;
  readonly full: Answer;
  readonly head: Answer;
  readonly notModified: Answer;
}

/**
 * Prepares the answers for one representation.
 *
 * @param headers - The complete fields of its 200, Content-Length, Content-Encoding and ETag included.
 */
export function toRepresentation(representation: {
  readonly coding: NegotiableCoding;
  readonly mayBeCoded: boolean;
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: Uint8Array;
  readonly etag: string | undefined;
  readonly lastModifiedMs: number | undefined;
}): Representation {
  const { coding, mayBeCoded, status, headers, body, etag, lastModifiedMs } = representation;
  return {
    coding,
    mayBeCoded,
    etag,
    lastModifiedMs,
    full: { status, headers, body },
    head: { status, headers, body: null },
    notModified: { status: 304, headers: toNotModifiedFields(headers), body: null },
  };
}

/** The answer to a satisfiable range request: 206 with a view of the bytes, no copy. */
export function toPartial(full: Answer, body: Uint8Array, first: number, last: number): Answer {
  const part = body.subarray(first, last + 1);
  const headers = withField(full.headers, 'Content-Length', String(part.byteLength));
  headers.push('Content-Range', `bytes ${first}-${last}/${body.byteLength}`);
  return { status: 206, headers, body: part };
}
