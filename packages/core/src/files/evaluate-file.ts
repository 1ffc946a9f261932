import { evaluatePreconditions, selectRange } from '../answers/select.ts';
import { refuse, refuseRange } from '../answers/refusal.ts';
import type { Answer, Exchange } from '../exchange.ts';
import { readAcceptEncoding } from '../http/accept-encoding.ts';
import { type HeaderList, toNotModifiedHeaders, valueOf } from '../http/header-list.ts';
import type { ByteRange } from '../http/range.ts';

/** What is known of the content of a file that is not held. */
export interface FileFacts {
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  /** Whether it shrinks when encoded: what a proxy may encode is sent without ranges. */
  readonly isCompressible: boolean;
}

/**
 * Evaluates preconditions and the range of a GET or HEAD.
 *
 * @param headers - Of the answer; a file without ETag has no validators.
 * @returns the range to send, undefined for the complete content, or an answer without content.
 */
export function evaluateFile(
  { sizeBytes, modifiedMs, isCompressible }: FileFacts,
  headers: HeaderList,
  exchange: Exchange,
): ByteRange | Answer | undefined {
  const lastModifiedMs = toSeconds(modifiedMs);
  const etag = valueOf(headers, 'etag');
  const isCacheable = etag !== undefined;
  const validators = { etag, lastModifiedMs: isCacheable ? lastModifiedMs : undefined };
  switch (evaluatePreconditions(validators, exchange)) {
    case 'failed':
      return refuse('NG_SSR_PRECONDITION_FAILED', exchange.method);
    case 'not-modified':
      return { status: 304, headers: toNotModifiedHeaders(headers), body: null };
    case 'passed':
  }
  const header = exchange.method === 'HEAD' ? undefined : exchange.header('range');
  if (header === undefined) return undefined;
  // The file may change again within the second of Last-Modified (RFC 9110 section 8.8.2.2).
  const isDateStrong = isCacheable && Date.now() >= lastModifiedMs + 1000;
  const { takesEncoded } = readAcceptEncoding(exchange.header('accept-encoding'));
  const validator = {
    etag,
    lastModifiedMs: isDateStrong ? lastModifiedMs : undefined,
    mayBeEncoded: takesEncoded && isCompressible,
  };
  const range = selectRange(header, validator, sizeBytes, exchange);
  return range === 'unsatisfiable' ? refuseRange(sizeBytes) : range;
}

/** Rounds down to whole seconds, as HTTP dates have, in milliseconds. */
export function toSeconds(ms: number): number {
  return Math.floor(ms / 1000) * 1000;
}
