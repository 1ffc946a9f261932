import { readHashedName } from './hashed-name.ts';

const IMMUTABLE = 'public, max-age=31536000, immutable';
/** Equivalent to `no-cache`, which would keep Angular from putting the response into its transfer cache. */
const REVALIDATE = 'public, max-age=0, must-revalidate';
const REVALIDATE_DOCUMENT = 'no-cache';

/**
 * The Cache-Control of a built file: immutable for a year if its name contains the hash of its content
 * (`main-5INURTSO.js`, RFC 8246), else revalidated each time. Documents, which no application fetches,
 * have `no-cache`. Other files may be fetched by an application while it renders, and HttpClient puts no
 * response with `no-cache` into its transfer cache.
 *
 * @param path - Below the browser folder, with `/` in front.
 * @see https://angular.dev/guide/ssr#caching-data-when-using-httpclient
 */
export function cacheControlOf(path: string): string {
  if (readHashedName(path) !== undefined) return IMMUTABLE;
  return path.endsWith('.html') ? REVALIDATE_DOCUMENT : REVALIDATE;
}
