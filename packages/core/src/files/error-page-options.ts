import { targetPath } from '../options/option-values.ts';
import { group, optional } from '../options/option.ts';

/**
 * Built pages that are answered in place of a short text, by status. Each is named by its path: that of
 * a prerendered page (`'/404'`) or of a file (`'/errors/404.html'`).
 *
 * Without a path the build's `404/index.html` or `404.html` is used, if there is one; likewise for 500
 * and 503. Without a page for 503, that for 500 is used.
 */
export interface ErrorPageOptions {
  /** For paths without a page. At its own address it is answered with 404 too. Default: `/404` or `404.html` of the build. */
  readonly 404?: string | undefined;
  /** For renders and routes that fail, unless `errorDetails` shows the error. Default: `/500` or `500.html` of the build. */
  readonly 500?: string | undefined;
  /**
   * For requests that get neither their page in time nor `index.csr.html` in its place. Default: `/503` or `503.html` of
   * the build, else the page for 500.
   */
  readonly 503?: string | undefined;
}

/** A status that may have an error page. */
export type ErrorPageStatus = keyof ErrorPageOptions;

/** The names of {@link ErrorPageOptions}. */
export const ERROR_PAGE_STATUSES: readonly ErrorPageStatus[] = [404, 500, 503];

const errorPages = group<ErrorPageOptions>(
  { 404: optional(targetPath), 500: optional(targetPath), 503: optional(targetPath) },
  'false or an object of paths by status',
);

/** @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN` */
export function resolveErrorPages(
  given: ErrorPageOptions | false | undefined = {},
): ErrorPageOptions | false {
  return given === false ? false : errorPages('errorPages', given);
}
