import { assertKnownOptions, check, isOptionObject } from '../check-option.ts';

/**
 * Pages of the build that are answered in place of a short text, by status. Each is named by its path: that
 * of a prerendered page (`'/404'`) or of a file (`'/errors/404.html'`).
 *
 * Without a path the build's `404/index.html` is taken, or its `404.html`, where it has one; 500 and 503
 * alike. Where there is none for 503, that for 500 is taken.
 */
export interface ErrorPageOptions {
  /** For paths without a page. Asked for by its own address, it is a 404 too. */
  readonly 404?: string | undefined;
  /** For renders and routes that fail, unless `errorDetails` shows the error. */
  readonly 500?: string | undefined;
  /** For requests that get no page in time, and no `index.csr.html` in its place. */
  readonly 503?: string | undefined;
}

/** A status with a page of its own. */
export type ErrorPageStatus = keyof ErrorPageOptions;

/** The names of {@link ErrorPageOptions}. */
export const ERROR_PAGE_STATUSES: readonly ErrorPageStatus[] = [404, 500, 503];

/** A path as it stands in a request target, without a query. */
const PATH = /^\/[!-"$->@-~]*$/;

/** @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN` */
export function resolveErrorPages(
  options: ErrorPageOptions | false | undefined,
): ErrorPageOptions | false {
  if (options === undefined || options === false) return options ?? {};
  check('errorPages', options, isOptionObject(options), 'false or an object of paths by status');
  assertKnownOptions(options, ERROR_PAGE_STATUSES.map(String));
  for (const status of ERROR_PAGE_STATUSES) {
    const path = options[status];
    const isPath = path === undefined || (typeof path === 'string' && PATH.test(path));
    check(`errorPages.${status}`, path, isPath, 'a path from "/", without a query');
  }
  return options;
}
