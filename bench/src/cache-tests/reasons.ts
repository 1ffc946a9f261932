/** Why ng-ssr does not pass a test, by the beginning of its id. The first that fits counts. */
const REASONS: readonly (readonly [start: string, reason: string])[] = [
  [
    'interim-',
    'an engine returns one Response: it cannot send 102 or 103 (ng-ssr sends its own 103)',
  ],
  ['cc-resp-no-cache-revalidate', 'a page is rendered again, never validated with its engine'],
  ['cc-resp-must-revalidate-stale', 'a page is rendered again, never validated with its engine'],
  ['conditional-lm-stale', 'a page is rendered again, never validated with its engine'],
  ['conditional-etag-', 'a page is rendered again, never validated with its engine'],
  ['304-', 'a page is rendered again, never validated with its engine'],
  ['conditional-lm-fresh-no-lm', 'the age of a page without Last-Modified is no validator'],
  ['headers-store-Content-Encoding', 'the page that the engine returns is decoded'],
  ['headers-store-Content-Range', 'only whole pages are stored'],
  ['headers-store-Set-Cookie', 'a page with Set-Cookie is for one visitor and never stored'],
  ['other-set-cookie', 'a page with Set-Cookie is for one visitor and never stored'],
  ['partial-', 'only whole pages are stored'],
  ['heuristic-', 'a page without explicit freshness is never stored'],
  ['method-POST', 'answers to POST are never stored'],
  ['freshness-expires-', 'a date that is no HTTP-date (RFC 9110 section 5.6.7) makes a page stale'],
  ['status-', 'errors and statuses without a meaning for pages are not stored'],
  ['vary-normalise-lang', 'only the languages of the option cache.languages are normalised'],
  ['vary-normalise-space', 'a header value is part of the key as it came'],
];

/** @returns undefined for a test that ng-ssr should pass. */
export function reasonFor(id: string): string | undefined {
  return REASONS.find(([start]) => id.startsWith(start))?.[1];
}
