import { isForCaches } from '../http/edge-headers.ts';
import type { Rendered } from './render-whole.ts';
import type { ResponseHead } from './sendable-response.ts';

/** A head that tells caches this alone, whatever the page has said. */
export function withCacheControl(head: ResponseHead, cacheControl: string): ResponseHead {
  const headers = new Headers(head.headers);
  for (const name of [...headers.keys()]) if (isForCaches(name)) headers.delete(name);
  headers.set('cache-control', cacheControl);
  return { status: head.status, headers };
}

/** The page for its client alone: no cache may store it. */
export function toUnstored({ response, ...rest }: Rendered): Rendered {
  return { ...rest, response: withCacheControl(response, 'no-store') };
}

/** Marks a page with unhandled errors: it is sent, but neither this server nor another cache may store it. */
export function withErrors({ response, ...rest }: Rendered): Rendered {
  return { ...toUnstored({ response, ...rest }), hasErrors: true };
}
