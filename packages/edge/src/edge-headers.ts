import type { EdgePage } from '@ng-ssr/core';

/** Lifetimes for an edge, as a dictionary of RFC 9213 section 2.1. */
export function toCacheControl({
  freshSeconds,
  staleWhileRevalidateSeconds,
  staleIfErrorSeconds,
}: EdgePage): string {
  const directives = [`max-age=${freshSeconds}`];
  if (staleWhileRevalidateSeconds > 0) {
    directives.push(`stale-while-revalidate=${Math.floor(staleWhileRevalidateSeconds)}`);
  }
  if (staleIfErrorSeconds > 0) {
    directives.push(`stale-if-error=${Math.floor(staleIfErrorSeconds)}`);
  }
  return directives.join(', ');
}

/**
 * Tags as one header value.
 *
 * @returns undefined if it is too long: a page that one of its tags does not purge must not be kept.
 */
export function joinTags(
  tags: readonly string[],
  separator: string,
  mostBytes: number,
): string | undefined {
  const value = tags.join(separator);
  return value.length > mostBytes ? undefined : value;
}

/** Parts of a list that keep within a number of tags and of bytes. */
export function inBatches(
  tags: readonly string[],
  most: number,
  mostBytes: number = Number.POSITIVE_INFINITY,
): string[][] {
  const batches: string[][] = [];
  let bytes = 0;
  for (const tag of tags) {
    const last = batches.at(-1);
    if (last === undefined || last.length >= most || bytes + tag.length >= mostBytes) {
      batches.push([tag]);
      bytes = tag.length;
    } else {
      last.push(tag);
      bytes += 1 + tag.length;
    }
  }
  return batches;
}
