import { type Directives, readDirectives, secondsOf } from '../http/cache-control.ts';
import { type HeaderList, valueOf } from '../http/header-list.ts';
import { parseHttpDate } from '../http/http-date.ts';
import { trimOws } from '../http/optional-whitespace.ts';
import type { ResponseHead } from '../render/sendable-response.ts';
import { readTargeted } from '../http/targeted-cache-control.ts';
import type { RouteRule } from './cache-options.ts';

/** How long a stored page may be used, in seconds. */
export interface Lifetime {
  readonly freshSeconds: number;
  readonly staleWhileRevalidateSeconds: number;
  readonly staleIfErrorSeconds: number;
  /** Whether the page itself forbids its use when it is stale. */
  readonly isStaleForbidden: boolean;
  /** How old the response was when it came (RFC 9111 section 4.2.3). */
  readonly initialAgeSeconds: number;
}

/** Why a response is not stored, as Cache-Status says it. */
export type Reason =
  | 'authorization'
  | 'coded'
  | 'errors'
  | 'no-cache'
  | 'no-freshness'
  | 'no-store'
  | 'nonce'
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

/** Redirects that hold for one request: a rule for the whole route does not speak for them. */
const TEMPORARY = new Set([302, 307]);

/**
 * Step 6, the one predicate: whether a response may be stored, and for how long (RFC 9111 sections
 * 3 and 4.2.1, RFC 5861, RFC 9213). Nothing is stored without explicit freshness, and what a
 * response forbids no rule allows.
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
  if (rule?.store === false) return 'rule';
  if (!STORABLE.has(status)) return 'status';
  if (headers.has('content-range')) return 'range';
  // This server makes codings itself, of content as it is.
  if (headers.has('content-encoding')) return 'coded';
  if (headers.has('set-cookie')) return 'set-cookie';
  if (namesAll(headers.get('vary'))) return 'vary-star';

  const { directives, targeted } = directivesOf(
    headers.get('cache-control') ?? undefined,
    headers.get('cdn-cache-control') ?? undefined,
  );
  if (directives.has('no-store')) return 'no-store';
  if (directives.has('private')) return 'private';
  // Stored or not, it would have to be rendered for each request to know whether it is still right.
  if (directives.has('no-cache')) return 'no-cache';

  const isRuled = rule?.sMaxage !== undefined && !TEMPORARY.has(status);
  const isPublic = isRuled || PUBLIC.some((directive) => directives.has(directive));
  if (hasAuthorization && !isPublic) return 'authorization';

  const ownSeconds = targeted === undefined ? freshness(directives, headers) : ownOf(targeted);
  const freshSeconds = isRuled ? rule.sMaxage : ownSeconds;
  if (freshSeconds === undefined) return 'no-freshness';
  const isStaleForbidden = forbidStale(directives);
  const stale = (own: string, ruled: number | undefined): number =>
    isStaleForbidden ? 0 : ((isRuled ? ruled : undefined) ?? secondsOf(directives, own) ?? 0);
  const lifetime: Lifetime = {
    freshSeconds,
    staleWhileRevalidateSeconds: stale('stale-while-revalidate', rule?.staleWhileRevalidate),
    staleIfErrorSeconds: stale('stale-if-error', rule?.staleIfError),
    isStaleForbidden,
    initialAgeSeconds: initialAge(headers, nowMs),
  };
  const isUseful =
    freshSeconds + Math.max(lifetime.staleWhileRevalidateSeconds, lifetime.staleIfErrorSeconds) >
    lifetime.initialAgeSeconds;
  return isUseful ? lifetime : 'no-freshness';
}

/** What a response says to this cache: CDN-Cache-Control, where it has one (RFC 9213). */
function directivesOf(
  cacheControl = '',
  cdnCacheControl: string | undefined,
): { readonly directives: Directives; readonly targeted: Directives | undefined } {
  const targeted = cdnCacheControl === undefined ? undefined : readTargeted(cdnCacheControl);
  return { directives: targeted ?? readDirectives(cacheControl), targeted };
}

/** Whether a stored page forbids its own use when it is stale, whatever is configured. */
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
 * s-maxage would be one too (section 5.2.2.10); whoever writes stale-while-revalidate beside it
 * has said what is wanted.
 */
const NEVER_STALE = ['must-revalidate', 'proxy-revalidate'];

/** RFC 9111 section 4.2.1, without heuristics (section 4.2.2). */
function freshness(directives: Directives, headers: Headers): number | undefined {
  const own = ownOf(directives);
  if (own !== undefined) return own;
  const expires = headers.get('expires');
  if (expires === null) return undefined;
  const expiresMs = parseHttpDate(expires);
  const date = headers.get('date');
  const dateMs = (date === null ? undefined : parseHttpDate(date)) ?? Date.now();
  // A date that is none has passed (section 5.3).
  return expiresMs === undefined ? 0 : Math.max(0, Math.floor((expiresMs - dateMs) / 1000));
}

function ownOf(directives: Directives): number | undefined {
  return secondsOf(directives, 's-maxage') ?? secondsOf(directives, 'max-age');
}

/** RFC 9111 section 4.2.3: the larger of what Age says and what has passed since Date. */
function initialAge(headers: Headers, nowMs: number): number {
  const age = ageIn(headers.get('age'));
  const date = headers.get('date');
  const dateMs = date === null ? undefined : parseHttpDate(date);
  const apparent = dateMs === undefined ? 0 : Math.max(0, Math.floor((nowMs - dateMs) / 1000));
  return Math.max(age, apparent);
}

/** Of a list the first counts, and what is no number of seconds does not (section 5.1). */
function ageIn(field: string | null): number {
  const [first = ''] = (field ?? '').split(',');
  return /^\d+$/.test(first.trim()) ? Number(first) : 0;
}

/** Whether there is no saying by which fields the response was chosen: `*`, or what is no name. */
function namesAll(vary: string | null): boolean {
  const names = vary === null ? [] : vary.split(',').map(trimOws);
  return names.some((name) => name === '*' || !isTokenOrEmpty(name));
}

function isTokenOrEmpty(name: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]*$/.test(name);
}
