import type { ERROR_CODES } from './error-codes.ts';

type Codes = typeof ERROR_CODES;
type Other = {
  readonly [Code in keyof Codes as Codes[Code] extends 500 ? never : Code]: Codes[Code];
};

/** The statuses of {@link ERROR_CODES} that are not 500: a server needs no others, and bundles leave that table out. */
const STATUSES: Other = {
  NG_SSR_HOST_MALFORMED: 400,
  NG_SSR_HOST_NOT_ALLOWED: 400,
  NG_SSR_HOST_UNDECIDED: 503,
  NG_SSR_TARGET_MALFORMED: 400,
  NG_SSR_METHOD_NOT_ALLOWED: 405,
  NG_SSR_NOT_FOUND: 404,
  NG_SSR_NOT_ACCEPTABLE: 406,
  NG_SSR_RANGE_NOT_SATISFIABLE: 416,
  NG_SSR_PRECONDITION_FAILED: 412,
  NG_SSR_PREFETCH_REFUSED: 503,
  NG_SSR_OVERLOADED: 503,
  NG_SSR_DEADLINE_PASSED: 503,
  NG_SSR_RENDER_TIMEOUT: 503,
  NG_SSR_RENDER_NOT_REPEATED: 503,
  NG_SSR_WORKER_LOST: 503,
  NG_SSR_STORE_UNAVAILABLE: 503,
  NG_SSR_EDGE_UNAVAILABLE: 503,
  NG_SSR_PURGE_INVALID: 400,
  NG_SSR_SLOTS_CROSS_SITE: 403,
  NG_SSR_PURGE_UNAUTHORIZED: 401,
  NG_SSR_INSPECTOR_UNAUTHORIZED: 401,
  NG_SSR_INSPECTOR_INVALID: 400,
  NG_SSR_CALL_LOOP: 508,
  NG_SSR_NOT_READY: 503,
};

/** The status of the answer to a request that fails with a code. */
export function statusOf(code: keyof Codes): number {
  return (STATUSES as Partial<Record<keyof Codes, number>>)[code] ?? 500;
}
