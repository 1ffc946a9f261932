import { type Directives, readDirectives, readLifetimes } from '../../http/cache-control.ts';
import { type HeaderList, valueOf } from '../../http/header-list.ts';
import { parseHttpDate } from '../../http/http-date.ts';
import { trimOws } from '../../http/optional-whitespace.ts';
import type { ResponseHead } from '../../render/sendable-response.ts';
import { readTargeted } from '../../http/targeted-cache-control.ts';
import type { RouteRule } from '../options/cache-options.ts';

/** How long a stored page may be used, in seconds. */
export interface Lifetime {
  readonly freshSeconds: number;
  readonly staleWhileRevalidateSeconds: number;
  readonly staleIfErrorSeconds: number;
  /** Whether the page forbids its use when it is stale. */
  readonly isStaleForbidden: boolean;
  /** The age of the response on receipt (RFC 9111 section 4.2.3). */
  readonly initialAgeSeconds: number;
}

/** Why a response is not stored, as reported in Cache-Status. */
export type Reason =
  | 'authorization'
  | 'coded'
  | 'errors'
  | 'no-cache'
  | 'no-freshness'
  | 'no-store'
  | 'nonce'
  | 'personal-call'
  | 'private'
  | 'range'
  | 'request-no-store'
  | 'rule'
  | 'set-cookie'
  | 'status'
  | 'too-large'
  | 'vary-star'
  | 'vary-too-many';

/** Final statuses that this cache understands (RFC 9111 section 3). */
export const STORABLE: ReadonlySet<number> = new Set([
  ...[200, 203, 204, 301, 302, 307, 308, 404, 410],
]);

/** Redirects that hold for one request: a rule for the whole route does not apply to them. */
const TEMPORARY = new Set([302, 307]);

/**
 * Step 6, the only predicate: whether a response may be stored, and for how long (RFC 9111 sections
 * 3 and 4.2.1, RFC 5861, RFC 9213). Nothing is stored without explicit freshness, and no rule allows
 * what a response forbids.
 *
 * @param hasAuthorization - Whether the engine saw an Authorization field (section 3.5).
 */
export function mayStore(
  response: ResponseHead,
  rule: RouteRule | undefined,
  hasAuthorization: boolean,
  nowMs: number,
): Lifetime | Reason {
  const { status, headers } = response;
  if (rule?.cache === false) return 'rule';
  if (!STORABLE.has(status)) return 'status';
  if (headers.has('content-range')) return 'range';
  // This server makes codings itself, from uncoded content.
  if (headers.has('content-encoding')) return 'coded';
  if (headers.has('set-cookie')) return 'set-cookie';
  if (namesAll(headers.get('vary'))) return 'vary-star';

  const { directives, targeted } = directivesOf(
    headers.get('cache-control') ?? undefined,
    headers.get('cdn-cache-control') ?? undefined,
  );
  if (directives.has('no-store')) return 'no-store';
  if (directives.has('private')) return 'private';
  // To validate a stored page, the server would have to render it for each request.
  if (directives.has('no-cache')) return 'no-cache';

  const isRuled = rule?.sMaxAge !== undefined && !TEMPORARY.has(status);
  const ruled = isRuled ? rule : undefined;
  const own = readLifetimes(directives);
  if (hasAuthorization && !isRuled && !PUBLIC.some((name) => directives.has(name))) {
    return 'authorization';
  }
  const freshSeconds =
    ruled?.sMaxAge ??
    own.shared ??
    (targeted === undefined ? secondsUntilExpires(headers, nowMs) : undefined);
  if (freshSeconds === undefined) return 'no-freshness';
  const isStaleForbidden = forbidStale(directives);
  const stale = (seconds = 0): number => (isStaleForbidden ? 0 : seconds);
  const lifetime: Lifetime = {
    freshSeconds,
    staleWhileRevalidateSeconds: stale(ruled?.staleWhileRevalidate ?? own.staleWhileRevalidate),
    staleIfErrorSeconds: stale(ruled?.staleIfError ?? own.staleIfError),
    isStaleForbidden,
    initialAgeSeconds: initialAge(headers, nowMs),
  };
  const isUseful =
    freshSeconds + Math.max(lifetime.staleWhileRevalidateSeconds, lifetime.staleIfErrorSeconds) >
    lifetime.initialAgeSeconds;
  return isUseful ? lifetime : 'no-freshness';
}

/** The directives for this cache: those of CDN-Cache-Control, if present (RFC 9213). */
function directivesOf(
  cacheControl = '',
  cdnCacheControl: string | undefined,
): { readonly directives: Directives; readonly targeted: Directives | undefined } {
  const targeted = cdnCacheControl === undefined ? undefined : readTargeted(cdnCacheControl);
  return { directives: targeted ?? readDirectives(cacheControl), targeted };
}

/** Whether a stored page forbids its use when it is stale, whatever is configured. */
export function isStaleForbidden(fields: HeaderList): boolean {
  const cacheControl = valueOf(fields, 'cache-control');
  return forbidStale(directivesOf(cacheControl, valueOf(fields, 'cdn-cache-control')).directives);
}

function forbidStale(directives: Directives): boolean {
  return NEVER_STALE.some((directive) => directives.has(directive));
}

/** Directives that let a response to a request with Authorization be stored (RFC 9111 section 3.5). */
const PUBLIC = ['public', 's-maxage', 'must-revalidate'];

/**
 * Directives that forbid the use of stale responses (RFC 9111 sections 5.2.2.2 and 5.2.2.8).
 * s-maxage would be one too (section 5.2.2.10), but stale-while-revalidate beside it states what the
 * page wants.
 */
const NEVER_STALE = ['must-revalidate', 'proxy-revalidate'];

/** RFC 9111 section 4.2.1, without heuristics (section 4.2.2). */
function secondsUntilExpires(headers: Headers, nowMs: number): number | undefined {
  const expires = headers.get('expires');
  if (expires === null) return undefined;
  const expiresMs = parseHttpDate(expires);
  const date = headers.get('date');
  const dateMs = (date === null ? undefined : parseHttpDate(date)) ?? nowMs;
  // An invalid date counts as past (section 5.3).
  return expiresMs === undefined ? 0 : Math.max(0, Math.floor((expiresMs - dateMs) / 1000));
}

/** RFC 9111 section 4.2.3: the larger of Age and the time since Date. */
function initialAge(headers: Headers, nowMs: number): number {
  const age = ageIn(headers.get('age'));
  const date = headers.get('date');
  const dateMs = date === null ? undefined : parseHttpDate(date);
  const apparent = dateMs === undefined ? 0 : Math.max(0, Math.floor((nowMs - dateMs) / 1000));
  return Math.max(age, apparent);
}

/** The first member of a list counts; a value that is no number of seconds is ignored (section 5.1). */
function ageIn(field: string | null): number {
  const [first = ''] = (field ?? '').split(',');
  return /^\d+$/.test(first.trim()) ? Number(first) : 0;
}

/** Whether Vary does not list which fields selected the response: `*`, or an invalid name. */
function namesAll(vary: string | null): boolean {
  const names = vary === null ? [] : vary.split(',').map(trimOws);
  return names.some((name) => name === '*' || !isTokenOrEmpty(name));
}

function isTokenOrEmpty(name: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]*$/.test(name);
}
