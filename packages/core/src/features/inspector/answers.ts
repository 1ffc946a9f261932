import { refuse } from '../../answers/refusal.ts';
import { platform } from '#platform';
import { hasOtherCredentials } from '../../bearer-token.ts';
import { statusOf } from '../../error-statuses.ts';
import type { SsrErrorCode } from '../../errors.ts';
import type { Answer, Exchange } from '../../exchange.ts';

import type { RequestEvent } from '../../telemetry/channels.ts';

const CACHE_STATUS = 'ng-ssr; detail=inspector';

/** Whether a request was answered by the inspector, which does not count itself. */
export function isOfInspector({ result, cacheStatus }: RequestEvent): boolean {
  return result === 'bypass' && cacheStatus === CACHE_STATUS;
}

/** On every answer: only the operator's own browser may have it, and no search engine. */
const OWN = [
  ...[
    'Cache-Control',
    'no-store',
    'Vary',
    'Authorization, Cookie, NG-SSR-Token',
    'X-Robots-Tag',
    'noindex',
  ],
  ...['X-Content-Type-Options', 'nosniff', 'Referrer-Policy', 'no-referrer'],
  ...['Cache-Status', CACHE_STATUS],
];

export function toAnswer(
  status: number,
  contentType: string,
  content: string,
  more: readonly string[] = [],
): Answer {
  const body = platform.toBytes(content);
  const length = String(body.byteLength);
  const headers = ['Content-Type', contentType, 'Content-Length', length, ...OWN, ...more];
  return { status, headers, body };
}

export function toJson(value: unknown): Answer {
  return toAnswer(200, 'application/json', `${JSON.stringify(value)}\n`);
}

/** As `refuse`, for no search engine either. */
export function refuseInspection(
  code: SsrErrorCode,
  method: string,
  details?: string,
  headers: readonly string[] = [],
  status?: number,
): Answer {
  return refuse(code, method, details, [...headers, 'X-Robots-Tag', 'noindex'], status);
}

export function unauthorized(exchange: Exchange): Answer {
  const { status, headers } = toChallenge(exchange);
  const code = 'NG_SSR_INSPECTOR_UNAUTHORIZED';
  return refuseInspection(code, exchange.method, undefined, headers, status);
}

/**
 * The status and the headers of an answer without a token. Behind HTTP Basic it is a 403: after a 401, a browser takes the
 * user that it has sent for a wrong one, and asks for it at each request.
 */
export function toChallenge(exchange: Exchange): { status: number; headers: readonly string[] } {
  if (hasOtherCredentials(exchange)) return { status: 403, headers: [] };
  const status = statusOf('NG_SSR_INSPECTOR_UNAUTHORIZED');
  return { status, headers: ['WWW-Authenticate', 'Bearer'] };
}
