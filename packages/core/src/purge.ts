/** Which cached pages and API responses to purge: exactly one of `path`, `prefix` and `tag`. */
export interface Purge {
  /** One path, with all its queries and variants. */
  readonly path?: string | undefined;
  /** All paths with this prefix. `/` also purges all API responses. */
  readonly prefix?: string | undefined;
  /** All pages and API responses with this tag. API responses are always removed at once. */
  readonly tag?: string | undefined;
  /**
   * Removes pages at once. Default: false. Pages become stale, and are served while they render again, within their
   * stale-while-revalidate and stale-if-error.
   */
  readonly hard?: boolean | undefined;
}
