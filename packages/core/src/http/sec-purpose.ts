/**
 * Whether a request is made ahead of a navigation that may never come: `Sec-Purpose: prefetch`, also with parameters
 * as in `prefetch;prerender`, or the older `Purpose: prefetch`.
 *
 * @see https://wicg.github.io/nav-speculation/prefetch.html#sec-purpose-header
 */
export function isPrefetch(header: (name: string) => string | undefined): boolean {
  const purpose = header('sec-purpose') ?? header('purpose');
  return purpose !== undefined && PREFETCH.test(purpose);
}

const PREFETCH = /^[ \t]*prefetch[ \t]*(?:;|$)/i;
