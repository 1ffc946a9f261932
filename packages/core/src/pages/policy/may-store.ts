import type { Exchange } from '../../exchange.ts';
import { type Directives, readDirectives, readLifetimes } from '../../http/cache-control.ts';
import { type HeaderList, valueOf } from '../../http/header-list.ts';
import { parseHttpDate } from '../../http/http-date.ts';
import { trimOws } from '../../http/optional-whitespace.ts';
import { pathOf } from '../../http/target.ts';
import type { ResponseHead } from '../../render/sendable-response.ts';
import { readTargeted } from '../../http/targeted-cache-control.ts';
import type { RouteRuleOptions } from '../options/cache-options.ts';

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
  | 'calls'
  | 'call-loop'
  | 'encoded'
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
 * Statuses whose responses get default lifetimes. An item that is missing now may be there in a moment, and a redirect may be
 * for this request alone: only the API can say for how long they hold.
 */
const SUCCESSES = new Set([200, 203, 204]);

/** Lifetimes that a rule sets, in seconds. */
interface RuledLifetimes {
  readonly sMaxAge?: number | undefined;
  readonly staleWhileRevalidate?: number | undefined;
  readonly staleIfError?: number | undefined;
}

/** What besides the response decides whether it may be stored. */
interface Terms {
  /** Lifetimes in place of those that the response states. */
  readonly imposed?: RuledLifetimes | undefined;
  /** Lifetimes of successful responses that state none. */
  readonly defaults?: RuledLifetimes | undefined;
  /** The response is not fresh for longer than this. */
  readonly mostSeconds?: number | undefined;
  /** Whether the request had Authorization, which is no part of the key (RFC 9111 section 3.5). */
  readonly hasAuthorization: boolean;
  /** Whether a stored response with a validator can be validated (section 4.3). */
  readonly isValidated: boolean;
}

/**
 * Step 6: whether a page may be stored, and for how long.
 *
 * @param hasAuthorization - Whether the engine saw an Authorization header.
 * @param callsFreshSeconds - How long the calls of the page are fresh; undefined without calls.
 */
export function mayStore(
  response: ResponseHead,
  rule: RouteRuleOptions | undefined,
  hasAuthorization: boolean,
  nowMs: number,
  callsFreshSeconds?: number,
): Lifetime | Reason {
  if (rule?.cache === false) return 'rule';
  const mostSeconds = rule?.freshness === undefined ? undefined : callsFreshSeconds;
  const sMaxAge = rule?.sMaxAge ?? mostSeconds;
  const imposed = sMaxAge === undefined ? undefined : { ...rule, sMaxAge };
  // To validate a stored page, the server would have to render it for each request.
  const terms = { imposed, mostSeconds, hasAuthorization, isValidated: false };
  const verdict = judge(response, terms, nowMs);
  const isDueToCalls =
    mostSeconds === 0 && (typeof verdict !== 'string' || verdict === 'no-freshness');
  return isDueToCalls ? 'calls' : verdict;
}

/**
 * Whether the response to a call may be stored, and for how long. One that must be validated before each use has no
 * lifetime at all.
 *
 * @param defaults - The lifetimes of its rule.
 * @param hasAuthorization - Whether the call had an Authorization header that is no part of its key.
 */
export function mayStoreCall(
  response: ResponseHead,
  defaults: RuledLifetimes | undefined,
  hasAuthorization: boolean,
  nowMs: number,
): Lifetime | Reason {
  return judge(response, { defaults, hasAuthorization, isValidated: true }, nowMs);
}

/**
 * The only predicate: whether a response may be stored, and for how long (RFC 9111 sections 3 and 4.2.1, RFC 5861,
 * RFC 9213). There are no heuristics, and no rule allows what a response forbids.
 */
function judge(
  { status, headers }: ResponseHead,
  { imposed, defaults, mostSeconds, hasAuthorization, isValidated }: Terms,
  nowMs: number,
): Lifetime | Reason {
  if (!STORABLE.has(status)) return 'status';
  if (headers.has('content-range')) return 'range';
  // This server makes encodings itself, from unencoded content.
  if (headers.has('content-encoding')) return 'encoded';
  const { directives, targeted } = directivesIn(headers);
  const ofOneClient = reasonOfOneClient(headers, directives);
  if (ofOneClient !== undefined) return ofOneClient;
  const mayValidate = isValidated && hasValidator(headers);
  const isAlwaysValidated = directives.has('no-cache');
  if (isAlwaysValidated && !mayValidate) return 'no-cache';

  const isLasting = !TEMPORARY.has(status);
  const ruled = isLasting ? imposed : undefined;
  const silent = SUCCESSES.has(status) ? defaults : undefined;
  const own = readLifetimes(directives);
  if (
    hasAuthorization &&
    ruled === undefined &&
    !PUBLIC.some((directive) => directives.has(directive))
  ) {
    return 'authorization';
  }
  const stated =
    ruled?.sMaxAge ??
    own.shared ??
    (targeted === undefined ? secondsUntilExpires(headers, nowMs) : undefined) ??
    silent?.sMaxAge ??
    // Section 3: other statuses are stored with explicit freshness only.
    (mayValidate && (isLasting || directives.has('public')) ? 0 : undefined);
  if (stated === undefined) return 'no-freshness';
  const freshSeconds = isAlwaysValidated ? 0 : Math.min(stated, mostSeconds ?? stated);
  const isStaleForbidden = forbidStale(directives);
  const stale = (seconds = 0): number => (isStaleForbidden || isAlwaysValidated ? 0 : seconds);
  const lifetime: Lifetime = {
    freshSeconds,
    staleWhileRevalidateSeconds: stale(
      ruled?.staleWhileRevalidate ?? own.staleWhileRevalidate ?? silent?.staleWhileRevalidate,
    ),
    staleIfErrorSeconds: stale(ruled?.staleIfError ?? own.staleIfError ?? silent?.staleIfError),
    isStaleForbidden,
    initialAgeSeconds: initialAge(headers, nowMs),
  };
  const isUseful =
    mayValidate ||
    freshSeconds + Math.max(lifetime.staleWhileRevalidateSeconds, lifetime.staleIfErrorSeconds) >
      lifetime.initialAgeSeconds;
  return isUseful ? lifetime : 'no-freshness';
}

/**
 * Whether several clients may get the response to one request, even if no cache may store it: equal requests that were
 * sent at the same time, for example.
 */
export function isShareable(headers: Headers): boolean {
  return reasonOfOneClient(headers, directivesIn(headers).directives) === undefined;
}

/** Why only the client that sent the request may get a response. */
function reasonOfOneClient(headers: Headers, directives: Directives): Reason | undefined {
  if (headers.has('set-cookie')) return 'set-cookie';
  if (namesAll(headers.get('vary'))) return 'vary-star';
  if (directives.has('no-store')) return 'no-store';
  return directives.has('private') ? 'private' : undefined;
}

/**
 * Whether a request asks that its page is not stored (RFC 9111 section 5.2.1.5), or spells its path with needless escapes:
 * routes and endpoints may not have decoded them, and the page would be stored in place of their answers. Other request
 * directives would let any client cause renders.
 *
 * @param path - Of the page, normalised.
 */
export function asksNotToStore(exchange: Exchange, path: string): boolean {
  if (path.length < pathOf(exchange.target).length) return true;
  return exchange.header('cache-control')?.toLowerCase().includes('no-store') === true;
}

function hasValidator(headers: Headers): boolean {
  return headers.has('etag') || headers.has('last-modified');
}

interface ReadDirectives {
  readonly directives: Directives;
  readonly targeted: Directives | undefined;
}

function directivesIn(headers: Headers): ReadDirectives {
  return directivesOf(
    headers.get('cache-control') ?? undefined,
    headers.get('cdn-cache-control') ?? undefined,
  );
}

/** The directives for this cache: those of CDN-Cache-Control, if present (RFC 9213). */
function directivesOf(cacheControl = '', cdnCacheControl: string | undefined): ReadDirectives {
  const targeted = cdnCacheControl === undefined ? undefined : readTargeted(cdnCacheControl);
  return { directives: targeted ?? readDirectives(cacheControl), targeted };
}

/** Whether a stored page forbids its use when it is stale, whatever is configured. */
export function isStaleForbidden(headers: HeaderList): boolean {
  const cacheControl = valueOf(headers, 'cache-control');
  return forbidStale(directivesOf(cacheControl, valueOf(headers, 'cdn-cache-control')).directives);
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
function ageIn(header: string | null): number {
  const [first = ''] = (header ?? '').split(',');
  return /^\d+$/.test(first.trim()) ? Number(first) : 0;
}

/** Whether Vary does not list which headers selected the response: `*`, or an invalid name. */
function namesAll(vary: string | null): boolean {
  const names = vary === null ? [] : vary.split(',').map(trimOws);
  return names.some((name) => name === '*' || !isTokenOrEmpty(name));
}

function isTokenOrEmpty(name: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]*$/.test(name);
}
