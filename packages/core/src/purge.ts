/** Which pages, and which calls stored by `withCalls()`, to purge. Exactly one of `path`, `prefix` and `tag` is given. */
export interface Purge {
  /** One path, with all its queries and variants. */
  readonly path?: string | undefined;
  /** Every path with this prefix; `/` reaches every call too. */
  readonly prefix?: string | undefined;
  /** Every page and every call with this tag. Calls are always removed at once. */
  readonly tag?: string | undefined;
  /**
   * Whether the pages are removed at once. Default: they become stale, and are served while they re-render,
   * as far as their own stale-while-revalidate and stale-if-error allow.
   */
  readonly hard?: boolean | undefined;
}
