import { entityTag } from '@ng-ssr/etag';
import type { Answer, Exchange } from '../exchange.ts';
import { hasDirective } from '../http/cache-control.ts';
import { CONNECTION_FIELDS } from '../http/connection-fields.ts';
import { parseHttpDate } from '../http/http-date.ts';
import { toNotModifiedFields } from '../http/header-list.ts';
import { evaluatePreconditions } from '../http/select.ts';
import { refuse } from '../refusal.ts';

/** Statuses without content (RFC 9110 section 6.4.1). */
const HAS_NO_CONTENT = new Set([204, 205, 304]);

/**
 * Turns what an engine has rendered into a complete answer. The body must have been read to its
 * end before, so that a status is sent only when the content is there.
 *
 * @param cacheStatus - What Cache-Status says of it (RFC 9211).
 */
export function toAnswer(
  response: Response,
  body: Uint8Array,
  exchange: Exchange,
  cacheStatus: string,
): Answer {
  const status = exchange.status !== 200 ? exchange.status : response.status;
  const hasContent = !HAS_NO_CONTENT.has(status);
  const headers: string[] = [];
  for (const [name, value] of response.headers) {
    if (name !== 'content-length' && !CONNECTION_FIELDS.has(name)) headers.push(name, value);
  }
  if (hasContent) headers.push('content-length', String(body.byteLength));

  const cacheControl = response.headers.get('cache-control');
  // A page that says nothing of itself may hold anybody's data: it is for its reader alone.
  if (cacheControl === null) headers.push('cache-control', 'private, no-cache');
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
  return { status, headers, body: hasContent && exchange.method !== 'HEAD' ? body : null };
}
