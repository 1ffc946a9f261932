import { refuse } from '../answers/refusal.ts';
import { platform } from '#platform';
import type { SsrErrorCode } from '../errors.ts';
import type { Answer } from '../exchange.ts';
import { type HeaderList, valueOf } from '../http/header-list.ts';
import type { RequestEvent } from '../telemetry/channels.ts';

const CACHE_STATUS = 'ng-ssr; detail=inspector';

/** Whether a request was answered by the inspector, which does not count itself. */
export function isOfInspector({ result, cacheStatus }: RequestEvent): boolean {
  return result === 'bypass' && cacheStatus === CACHE_STATUS;
}

/** Whether an answer is the inspector's own, by its fields. */
export function isInspection(headers: HeaderList): boolean {
  return valueOf(headers, 'cache-status') === CACHE_STATUS;
}

/** On every answer: only the operator's own browser may have it, and no search engine. */
const OWN = [
  ...['Cache-Control', 'no-store', 'Vary', 'Authorization, Cookie', 'X-Robots-Tag', 'noindex'],
  ...['X-Content-Type-Options', 'nosniff', 'Referrer-Policy', 'no-referrer'],
  ...['Cache-Status', CACHE_STATUS],
];

export function toAnswer(
  status: number,
  contentType: string,
  content: string,
  fields: readonly string[] = [],
): Answer {
  const body = platform.toBytes(content);
  const length = String(body.byteLength);
  const headers = ['Content-Type', contentType, 'Content-Length', length, ...OWN, ...fields];
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
  fields: readonly string[] = [],
): Answer {
  return refuse(code, method, details, [...fields, 'X-Robots-Tag', 'noindex']);
}

export function unauthorized(method: string): Answer {
  return refuseInspection('NG_SSR_INSPECTOR_UNAUTHORIZED', method, undefined, [
    'WWW-Authenticate',
    'Bearer',
  ]);
}
