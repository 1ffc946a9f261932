import type { Answer } from '../exchange.ts';
import type { NegotiableEncoding } from '../http/accept-encoding.ts';
import type { DictionaryEncoding } from '../http/dictionary-encoding.ts';
import { hasContent } from '../http/status.ts';
import { type HeaderList, toNotModifiedHeaders, withHeader } from '../http/header-list.ts';

/** The validators of a representation (RFC 9110 section 8.8). */
export interface Validators {
  /** The ETag of its bytes; undefined if they must not be stored. */
  readonly etag: string | undefined;
  /** When the content last changed, in milliseconds of whole seconds; undefined if unknown. */
  readonly lastModifiedMs: number | undefined;
}

/**
 * One representation held in memory (RFC 9110 section 3.2): the bytes of a page or file in one content
 * encoding, with prebuilt answers.
 */
export interface Representation extends Validators {
  readonly encoding: NegotiableEncoding | DictionaryEncoding;
  /**
   * Whether a proxy or middleware may encode the content, because the client accepts encodings that this
   * server has not made. One strong tag would then stand for several sequences of bytes, so the tag is
   * weak (RFC 9110 section 8.8.1).
   */
  readonly mayBeEncoded: boolean;
  readonly full: Answer;
  readonly head: Answer;
  readonly notModified: Answer;
}

/** The parts of a representation, of which its answers are made. */
export interface RepresentationParts
  extends Pick<Representation, 'encoding' | 'mayBeEncoded'>, Validators {
  readonly status: number;
  /** The complete headers of its answer, Content-Length, Content-Encoding and ETag included. */
  readonly headers: HeaderList;
  readonly body: Uint8Array;
}

/** Prepares the answers for one representation. */
export function toRepresentation(parts: RepresentationParts): Representation {
  const { encoding, mayBeEncoded, status, headers, body, etag, lastModifiedMs } = parts;
  return {
    encoding,
    mayBeEncoded,
    etag,
    lastModifiedMs,
    full: { status, headers, body },
    head: { status, headers, body: null },
    notModified: { status: 304, headers: toNotModifiedHeaders(headers), body: null },
  };
}

/** The same representation with its bytes in other memory. */
export function withBody(representation: Representation, body: Uint8Array): Representation {
  const { encoding, mayBeEncoded, etag, lastModifiedMs, full } = representation;
  const { status, headers } = full;
  return toRepresentation({ encoding, mayBeEncoded, status, headers, body, etag, lastModifiedMs });
}

/** A complete answer under another status, for example of earlier middleware, which may forbid content. */
export function underStatus({ headers, body }: Answer, status: number, isHead: boolean): Answer {
  if (hasContent(status)) return { status, headers, body: isHead ? null : body };
  const kept = toNotModifiedHeaders(headers);
  if (status === 205) kept.push('Content-Length', '0');
  return { status, headers: kept, body: null };
}

/** The answer to a satisfiable range request: 206 with a view of the bytes, no copy. */
export function toPartial(full: Answer, body: Uint8Array, first: number, last: number): Answer {
  const part = body.subarray(first, last + 1);
  const headers = withHeader(full.headers, 'Content-Length', String(part.byteLength));
  headers.push('Content-Range', `bytes ${first}-${last}/${body.byteLength}`);
  return { status: 206, headers, body: part };
}
