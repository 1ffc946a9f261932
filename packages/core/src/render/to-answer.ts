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
import { evaluatePreconditions } from '../http/select.ts';
import { hasContent } from '../http/status.ts';
import { refuse } from '../refusal.ts';
import { isByAnotherSite } from './by-another-site.ts';
import { isCodable, LEAST_CODED_BYTES } from './codable.ts';
import type { ResponseHead } from './sendable-response.ts';

/**
 * Turns what an engine has rendered into a complete answer, in no coding yet. The body must have been
 * read to its end before, so that a status is sent only when the content is there.
 *
 * @param cacheStatus - What Cache-Status says of it (RFC 9211).
 * @param encodings - Codings that may be made of it: Vary and the entity tag are those of the coding
 * that {@link codingFor} says.
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
  // A page that says nothing of itself may hold anybody's data: it is for its reader alone.
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
 * @returns undefined for a page that is the same for every client, `none` where no coding is acceptable.
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
 * Weak, since compression in front of us may code the page, and for a coding of ours since it says
 * which page is coded, not the coded bytes: so a 304 needs no coding. Parts are not sent anyway.
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
