import { entityTag } from '@ng-ssr/etag';
import type { Answer, Exchange } from '../exchange.ts';
import { hasDirective } from '../http/cache-control.ts';
import { parseHttpDate } from '../http/http-date.ts';
import { toNotModifiedFields } from '../http/header-list.ts';
import { evaluatePreconditions } from '../http/select.ts';
import { hasContent } from '../http/status.ts';
import { refuse } from '../refusal.ts';
import type { ResponseHead } from './sendable-response.ts';

/**
 * Turns what an engine has rendered into a complete answer. The body must have been read to its
 * end before, so that a status is sent only when the content is there.
 *
 * @param cacheStatus - What Cache-Status says of it (RFC 9211).
 */
export function toAnswer(
  response: ResponseHead,
  body: Uint8Array,
  exchange: Exchange,
  cacheStatus: string,
): Answer {
  const status = exchange.status !== 200 ? exchange.status : response.status;
  const headers: string[] = [];
  for (const [name, value] of response.headers) headers.push(name, value);
  if (hasContent(status)) headers.push('content-length', String(body.byteLength));
  else if (status === 205) headers.push('content-length', '0');

  const cacheControl = response.headers.get('cache-control');
  // A page that says nothing of itself may hold anybody's data: it is for its reader alone.
  if (cacheControl === null && !response.headers.has('expires')) {
    headers.push('cache-control', 'private, no-cache');
  }
  headers.push('cache-status', `ng-ssr; ${cacheStatus}`);

  if (status === 200 && !hasDirective(cacheControl ?? undefined, 'no-store')) {
    let etag = response.headers.get('etag') ?? undefined;
    // Weak, since compression in front of us may code the page; parts of it are not sent anyway.
    if (etag === undefined) headers.push('etag', (etag = entityTag(body, { weak: true })));
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
