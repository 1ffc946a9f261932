import { targetPath } from '../options/option-values.ts';
import { group, optional } from '../options/option.ts';

/**
 * Built pages to send instead of a short text, by status: the path of a prerendered page (`'/404'`) or of a file
 * (`'/errors/404.html'`).
 *
 * By default these are `404/index.html` or `404.html` of the build, and so on. Without a page for 503, the page for 500 is
 * used.
 */
export interface ErrorPageOptions {
  /** For paths without a page. Its own path has status 404. Default: `/404` or `404.html`. */
  readonly 404?: string | undefined;
  /** For failed renders and routes, unless `errorDetails` is on. Default: `/500` or `500.html`. */
  readonly 500?: string | undefined;
  /** For late pages, if there is no `index.csr.html`. Default: `/503` or `503.html`, else the page for 500. */
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
