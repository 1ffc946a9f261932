import { parseHttpDate, toHttpDate } from '../../http/http-date.ts';
import {
  addVary,
  CONNECTION_HEADERS,
  valueOf,
  withHeader,
  withoutHeader,
} from '../../http/header-list.ts';
import type { Rendered } from '../../render/render-whole.ts';
import type { ResponseHead } from '../../render/sendable-response.ts';
import type { PageTarget } from '../key/page-target.ts';
import type { RouteRuleOptions } from '../options/cache-options.ts';
import type { Lifetime } from '../policy/may-store.ts';
import type { StoredPage } from '../stored-page.ts';
import { trimOws } from '../../http/optional-whitespace.ts';

/** Headers that this server sets itself in each answer. */
const OWN_HEADERS = new Set([...CONNECTION_HEADERS, 'content-length', 'age', 'cache-status']);

/** Headers that no stored page has: those above, and those of responses that may not be stored. */
export const NEVER_STORED: ReadonlySet<string> = new Set([
  ...OWN_HEADERS,
  'content-encoding',
  'content-range',
  'set-cookie',
]);

/** Makes a stored page of a storable response and its route's rule. */
export function toStoredPage(
  { response, body, calls }: Rendered,
  { routePath, rule, isShared }: PageTarget,
  lifetime: Lifetime,
  nowMs: number,
): StoredPage {
  const tags = new Set([
    ...(rule?.tags ?? []),
    ...tagsIn(response.headers.get('cache-tag')),
    ...(calls?.provenance?.tags ?? []),
  ]);
  let headers: string[] = [];
  let hasDate = false;
  for (const [name, value] of response.headers) {
    const isInvalidDate = name === 'date' && parseHttpDate(value) === undefined;
    if (OWN_HEADERS.has(name) || isInvalidDate) continue;
    headers.push(name, value);
    hasDate ||= name === 'date';
  }
  // Downstream caches compute a lifetime from Expires and Date (RFC 9111 section 4.2.1).
  if (!hasDate) headers.push('date', toHttpDate(nowMs));
  if (isShared) {
    for (const name of variesBy(rule!)) {
      headers = withHeader(headers, 'vary', addVary(valueOf(headers, 'vary'), name));
    }
    // A rule does not apply to temporary redirects, nor the freshness of calls to a page without any.
    const isRuled = (rule!.sMaxAge ?? calls?.provenance) !== undefined;
    if (isRuled && response.status !== 302 && response.status !== 307) {
      headers = withHeader(headers, 'cache-control', toCacheControl(rule!, lifetime));
      headers = withoutHeader(headers, 'cdn-cache-control');
    }
  }
  const { freshSeconds, staleWhileRevalidateSeconds, staleIfErrorSeconds } = lifetime;
  return {
    status: response.status,
    headers,
    body,
    path: routePath,
    tags: [...tags],
    dateMs: nowMs - lifetime.initialAgeSeconds * 1000,
    freshSeconds,
    staleWhileRevalidateSeconds,
    staleIfErrorSeconds,
  };
}

/**
 * The request headers that selected a response, besides those of its key. Accept-Encoding is left to
 * the encodings made here. A shared route's page has seen only the headers of the key.
 */
export function variantHeaders(
  response: ResponseHead,
  { isShared }: PageTarget,
): readonly string[] {
  const vary = response.headers.get('vary');
  if (vary === null || isShared) return [];
  const names = vary.split(',').map((name) => trimOws(name).toLowerCase());
  return [...new Set(names)].filter((name) => name !== '' && name !== 'accept-encoding').sort();
}

/** Gives downstream caches the lifetimes that this server uses. */
function toCacheControl({ maxAge = 0 }: RouteRuleOptions, lifetime: Lifetime): string {
  const { freshSeconds, staleWhileRevalidateSeconds, staleIfErrorSeconds, isStaleForbidden } =
    lifetime;
  const directives = ['public', `max-age=${maxAge}`, `s-maxage=${Math.floor(freshSeconds)}`];
  if (isStaleForbidden) directives.push('must-revalidate');
  if (staleWhileRevalidateSeconds > 0) {
    directives.push(`stale-while-revalidate=${staleWhileRevalidateSeconds}`);
  }
  if (staleIfErrorSeconds > 0) directives.push(`stale-if-error=${staleIfErrorSeconds}`);
  return directives.join(', ');
}

function variesBy({ vary }: RouteRuleOptions): readonly string[] {
  return [...(vary?.headers ?? []), ...(vary?.cookies?.length ? ['Cookie'] : [])];
}

/** Cache-Tag is a comma-separated list; some applications separate tags by spaces. */
function tagsIn(header: string | null): string[] {
  return (header ?? '').split(/[\s,]+/).filter((tag) => tag !== '');
}
