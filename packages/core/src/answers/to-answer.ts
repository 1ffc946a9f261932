import { entityTag } from '@ng-ssr/etag';
import type { Answer, Exchange } from '../exchange.ts';
import {
  chooseCoding,
  type ContentCoding,
  type NegotiableCoding,
} from '../http/accept-encoding.ts';
import { hasDirective } from '../http/cache-control.ts';
import { parseHttpDate } from '../http/http-date.ts';
import { addVary, toNotModifiedFields, valueOf, withField } from '../http/header-list.ts';
import { evaluatePreconditions } from './select.ts';
import { hasContent } from '../http/status.ts';
import { refuse } from './refusal.ts';
import { isByAnotherSite } from './by-another-site.ts';
import { isCodable, LEAST_CODED_BYTES } from './codable.ts';
import type { ResponseHead } from '../render/sendable-response.ts';

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
): Answer {
  const status = exchange.status !== 200 ? exchange.status : response.status;
  let headers: string[] = [];
  for (const [name, value] of response.headers) headers.push(name, value);
  if (hasContent(status)) headers.push('content-length', String(body.byteLength));
  else if (status === 205) headers.push('content-length', '0');

  const cacheControl = response.headers.get('cache-control');
  // A page without caching fields may contain personal data, so only its client may store it.
  if (cacheControl === null && !response.headers.has('expires')) {
    headers.push('cache-control', 'private, no-cache');
  }
  headers.push('cache-status', `ng-ssr; ${cacheStatus}`);

  const coding = codingFor({ status, headers }, body, exchange, encodings);
  if (coding === 'none') return refuse('NG_SSR_NOT_ACCEPTABLE', exchange.method);
  if (coding !== undefined) {
    const vary = addVary(valueOf(headers, 'vary'), 'Accept-Encoding');
    headers = withField(headers, 'vary', vary);
  }

  if (status === 200 && !hasDirective(cacheControl ?? undefined, 'no-store')) {
    const own = response.headers.get('etag') ?? undefined;
    const etag = tagOf(own, body, coding);
    if (etag !== own) headers = withField(headers, 'etag', etag);
    const lastModified = response.headers.get('last-modified');
    const lastModifiedMs = lastModified === null ? undefined : parseHttpDate(lastModified);
    switch (evaluatePreconditions({ etag, lastModifiedMs }, exchange)) {
      case 'failed':
        return refuse('NG_SSR_PRECONDITION_FAILED', exchange.method);
      case 'not-modified':
        return { status: 304, headers: toNotModifiedFields(headers), body: null };
      case 'passed':
    }
  }
  return { status, headers, body: hasContent(status) && exchange.method !== 'HEAD' ? body : null };
}

/**
 * The coding to make of a page for a client.
 *
 * @param encodings - Those that can be made; of equal weight the first is chosen.
 * @returns undefined if the page is coded for no client, `none` if no coding is acceptable.
 */
export function codingFor(
  { status, headers }: Pick<Answer, 'status' | 'headers'>,
  { byteLength }: Uint8Array,
  exchange: Exchange,
  encodings: readonly ContentCoding[],
): NegotiableCoding | 'none' | undefined {
  if (encodings.length === 0 || byteLength < LEAST_CODED_BYTES) return undefined;
  if (!isCodable(status, headers)) return undefined;
  const coding = chooseCoding(exchange.header('accept-encoding'), encodings);
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
