import type { ErrorHandler } from '@angular/core';

/** Angular's code for "Cannot match any routes": an absent page, not a failed one (NG04002). */
const NO_ROUTE_MATCHES = 4002;

/** Unmatched paths are reported together, at most once in this time. */
const REPORT_EVERY_MS = 10_000;

let unreported = 0;
let reportedAtMs = Number.NEGATIVE_INFINITY;

/** Whether the router has found no route for a path. */
export function isNoRouteMatch(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === NO_ROUTE_MATCHES;
}

/**
 * Whether a handler is Angular's own, which prints each error with its stack. An application's handler
 * extends that class, or lacks Angular's `_console`.
 */
export function isAngularsHandler(handler: ErrorHandler): boolean {
  const own = Object.getPrototypeOf(handler) as object | null;
  return '_console' in handler && own !== null && Object.getPrototypeOf(own) === Object.prototype;
}

/** Prints, in place of Angular's handler, how many paths had no route since the last report. */
export function reportUnmatched({ message }: Error): void {
  unreported++;
  const nowMs = performance.now();
  if (nowMs - reportedAtMs < REPORT_EVERY_MS) return;
  const paths = unreported === 1 ? '1 path' : `${unreported} paths`;
  console.error(`ng-ssr: no route matches ${paths}; the last one: ${message.split('\n')[0]}`);
  unreported = 0;
  reportedAtMs = nowMs;
}
