import type { SsrOptions } from '@ng-ssr/core';
import { assertKnownOptions, check, OPTION_NAMES } from '@ng-ssr/core/adapter';

/** Where hits are answered: after the user's middleware, or before the framework. */
export type Hits = 'after-middleware' | 'before-middleware';

const HITS: readonly unknown[] = ['after-middleware', 'before-middleware'] satisfies Hits[];

/** The options of every server on Node; `Context` lists the arguments of the framework's handlers. */
export interface AdapterOptions<Context extends readonly unknown[]> extends SsrOptions {
  /**
   * Where hits are answered. `after-middleware` (default): middleware registered on the app runs
   * first, and the fields, cookies and status it sets are on hits too. `before-middleware`: before
   * the framework sees the request, at the speed of node:http; no middleware runs for hits, so
   * nothing may rely on it.
   */
  readonly hits?: Hits | undefined;
  /** Returns the value that components inject as Angular's `REQUEST_CONTEXT`. Default: null. */
  readonly requestContext?: ((...context: Context) => unknown) | undefined;
}

/**
 * Checks an adapter's options and separates the core's from the adapter's own.
 *
 * @param more - Names of options that only this adapter has.
 * @throws SsrError `NG_SSR_OPTION_UNKNOWN`, `NG_SSR_OPTION_INVALID`
 */
export function splitOptions<Context extends readonly unknown[]>(
  options: AdapterOptions<Context>,
  more: readonly string[] = [],
): { hits: Hits; requestContext: (...context: Context) => unknown; ssr: SsrOptions } {
  assertKnownOptions(options, [...OPTION_NAMES, 'hits', 'requestContext', ...more]);
  const { hits = 'after-middleware', requestContext = () => null, ...ssr } = options;
  check('hits', hits, HITS.includes(hits), '"after-middleware" or "before-middleware"');
  const isFunction = typeof requestContext === 'function';
  check('requestContext', requestContext, isFunction, "a function of the framework's context");
  return { hits, requestContext, ssr };
}
