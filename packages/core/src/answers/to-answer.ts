import { entityTag } from '#etag';
import type { Answer, Exchange } from '../exchange.ts';
import {
  chooseCoding,
  type ContentCoding,
  type NegotiableCoding,
  readAcceptEncoding,
} from '../http/accept-encoding.ts';
import { parseHttpDate } from '../http/http-date.ts';
import { toNotModifiedFields, withField } from '../http/header-list.ts';
import { evaluatePreconditions } from './select.ts';
import { refuse } from './refusal.ts';
import { isByAnotherSite } from './by-another-site.ts';
import { type ContentHead, LEAST_CODED_BYTES, readContentHead } from './content-head.ts';
import type { ResponseHead } from '../render/sendable-response.ts';

/** An answer, and the coding to make of its content. */
export interface Codable {
  readonly answer: Answer;
  /** Undefined where the content is sent as it is. */
  readonly coding: ContentCoding | undefined;
}

/**
 * Turns a rendered response into a complete answer, not coded yet. The body must have been read to its
 * end, so that a status is sent only with complete content.
 *
 * @param cacheStatus - For Cache-Status (RFC 9211).
 * @param encodings - Codings that may be made of it: Vary and the entity tag are those for the coding
 * that {@link codingFor} chooses.
 */
export function toAnswer(
  response: ResponseHead,
  body: Uint8Array,
  exchange: Exchange,
  cacheStatus: string,
  encodings: readonly ContentCoding[],
): Codable {
  const status = exchange.status !== 200 ? exchange.status : response.status;
  let headers: string[] = [];
  for (const [name, value] of response.headers) headers.push(name, value);
  const head = readContentHead(status, headers);
  const { values, hasContent } = head;
  if (hasContent) headers.push('content-length', String(body.byteLength));
  else if (status === 205) headers.push('content-length', '0');
  // A page without caching fields may contain personal data, so only its client may store it.
  if (!values.has('cache-control') && !values.has('expires')) {
    headers.push('cache-control', 'private, no-cache');
  }
  headers.push('cache-status', `ng-ssr; ${cacheStatus}`);

  const coding = codingFor(head, body, exchange, encodings);
  if (coding === 'none') return uncoded(refuse('NG_SSR_NOT_ACCEPTABLE', exchange.method));
  if (coding !== undefined) {
    headers = withField(headers, 'vary', head.varyCoded);
  }

  const hasValidator = status === 200 && !head.isNoStore;
  const own = values.get('etag');
  const etag = hasValidator || own !== undefined ? tagOf(own, body, coding) : undefined;
  if (etag !== undefined && etag !== own) headers = withField(headers, 'etag', etag);
  if (hasValidator) {
    const lastModified = values.get('last-modified');
    const lastModifiedMs = lastModified === undefined ? undefined : parseHttpDate(lastModified);
    switch (evaluatePreconditions({ etag, lastModifiedMs }, exchange)) {
      case 'failed':
        return uncoded(refuse('NG_SSR_PRECONDITION_FAILED', exchange.method));
      case 'not-modified':
        return uncoded({ status: 304, headers: toNotModifiedFields(headers), body: null });
      case 'passed':
    }
  }
  const isSent = hasContent && exchange.method !== 'HEAD';
  return {
    answer: { status, headers, body: isSent ? body : null },
    coding: coding === 'identity' ? undefined : coding,
  };
}

function uncoded(answer: Answer): Codable {
  return { answer, coding: undefined };
}

/**
 * The coding to make of a page for a client.
 *
 * @param encodings - Those that can be made; of equal weight the first is chosen.
 * @returns undefined if the page is coded for no client, `none` if no coding is acceptable.
 */
export function codingFor(
  { isCodable }: ContentHead,
  { byteLength }: Uint8Array,
  exchange: Exchange,
  encodings: readonly ContentCoding[],
): NegotiableCoding | 'none' | undefined {
  if (!isCodable || encodings.length === 0 || byteLength < LEAST_CODED_BYTES) return undefined;
  const coding = chooseCoding(readAcceptEncoding(exchange.header('accept-encoding')), encodings);
  if (coding === undefined) return 'none';
  return isByAnotherSite(exchange) ? 'identity' : coding;
}

/**
 * Weak, because a proxy may code the page, and because the tag of a coding is made of the uncoded page,
 * so that a 304 needs no coding. Ranges of rendered pages are not sent anyway.
 */
function tagOf(
  own: string | undefined,
  body: Uint8Array,
  coding: NegotiableCoding | undefined,
): string {
  const isCoded = coding !== undefined && coding !== 'identity';
  if (own !== undefined) return isCoded && !own.startsWith('W/') ? `W/${own}` : own;
  const tag = entityTag(body, { weak: true });
  return isCoded ? `${tag.slice(0, -1)}-${coding}"` : tag;
}
