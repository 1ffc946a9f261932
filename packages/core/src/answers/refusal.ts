import { platform } from '#platform';
import { STATUS_TEXT } from '../http/status.ts';
import { statusOf } from '../error-statuses.ts';
import type { SsrErrorCode } from '../errors.ts';
import type { Answer } from '../exchange.ts';

/** A store or a queue may be free again at once, but not all clients should retry at the same moment. */
export const RETRY_AFTER_SECONDS = '1';

/**
 * A plain-text answer for a request that gets no page. It must not be stored: the same URL may have a
 * page a moment later.
 *
 * @param code - Decides the status, as a rule.
 * @param details - Lines for developers; left out in production.
 * @param more - More headers, as in {@link Answer.headers}.
 * @param status - Where it is another than that of the code.
 */
export function refuse(
  code: SsrErrorCode,
  method: string,
  details?: string,
  more: readonly string[] = [],
  status: number = statusOf(code),
): Answer {
  const title = `${status} ${STATUS_TEXT[status]}`;
  const body = platform.toBytes(details === undefined ? `${title}\n` : `${title}\n\n${details}\n`);
  const headers = [
    'Content-Type',
    'text/plain; charset=utf-8',
    'Content-Length',
    String(body.byteLength),
    'Cache-Control',
    'no-store',
    'X-Content-Type-Options',
    'nosniff',
    'Cache-Status',
    `ng-ssr; detail=${code}`,
    ...more,
  ];
  if (status === 405 && more.length === 0) headers.push('Allow', 'GET, HEAD');
  // Browsers would put off all prefetches of the origin, and not try the navigation sooner.
  if (status === 503 && code !== 'NG_SSR_PREFETCH_REFUSED') {
    headers.push('Retry-After', RETRY_AFTER_SECONDS);
  }
  if (code === 'NG_SSR_NOT_ACCEPTABLE') headers.push('Vary', 'Accept-Encoding');
  return { status, headers, body: method === 'HEAD' ? null : body };
}

/** 416 with the length that a satisfiable range would have to stay below (RFC 9110 section 15.5.17). */
export function refuseRange(length: number): Answer {
  const answer = refuse('NG_SSR_RANGE_NOT_SATISFIABLE', 'GET');
  return { ...answer, headers: [...answer.headers, 'Content-Range', `bytes */${length}`] };
}
