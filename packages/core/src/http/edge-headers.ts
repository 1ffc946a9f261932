import { hasDirective } from './cache-control.ts';
import { addVary, type HeaderList, valueOf, withHeader } from './header-list.ts';

/** Cache controls for one edge, or for all of them (RFC 9213). */
const CONTROLS: ReadonlySet<string> = new Set([
  'cdn-cache-control',
  'surrogate-control',
  'cloudflare-cdn-cache-control',
  'netlify-cdn-cache-control',
]);

/** The headers from which edges read tags. */
const TAGS: ReadonlySet<string> = new Set([
  'xkey',
  'surrogate-key',
  'cache-tag',
  'netlify-cache-tag',
]);

/** The headers without those that are for edges alone. */
export function withoutEdgeHeaders(headers: HeaderList): string[] {
  const kept: string[] = [];
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i]!.toLowerCase();
    const isOfEdge = CONTROLS.has(name) || TAGS.has(name) || name === 'netlify-vary';
    if (!isOfEdge) kept.push(headers[i]!, headers[i + 1]!);
  }
  return kept;
}

/** The headers of an answer that an edge was to keep, for one that it must not keep. Other headers stay as they are. */
export function withheldFromEdge(headers: HeaderList): HeaderList {
  if (!isForEdge(headers)) return headers;
  const withheld = withoutEdgeHeaders(headers);
  for (let i = 0; i < headers.length; i += 2) {
    if (CONTROLS.has(headers[i]!.toLowerCase())) withheld.push(headers[i]!, 'no-store');
  }
  return withheld;
}

/**
 * The headers of an answer beside those that middleware has set: an edge must not keep it with a cookie, nor where
 * middleware leaves no shared cache the right to.
 *
 * @param headers - As in `Answer.headers`.
 * @param cacheControl - That middleware has set.
 * @param setsCookie - Whether middleware has set Set-Cookie.
 */
export function headersBeside(
  headers: readonly string[],
  cacheControl: string | undefined,
  setsCookie: boolean,
): readonly string[] {
  const isWithheld = setsCookie || (cacheControl !== undefined && FORBIDDEN.test(cacheControl));
  return isWithheld ? withheldFromEdge(headers) : headers;
}

const FORBIDDEN = /private|no-store|no-cache/i;

/** Headers by which browsers, proxies and edges keep an answer or ask for it again, beside controls and tags. */
const OF_CACHES: ReadonlySet<string> = new Set([
  ...['accept-ranges', 'age', 'etag', 'expires', 'last-modified', 'pragma', 'use-as-dictionary'],
  ...['edge-control', 'surrogate-control', 'x-accel-expires', 'netlify-vary'],
]);

/** Whether a header (name in lower case) is for caches, as Cache-Control and the forms of it for edges (RFC 9213) are. */
export function isForCaches(name: string): boolean {
  const isControl = name === 'cache-control' || name.endsWith('-cache-control');
  return isControl || OF_CACHES.has(name) || TAGS.has(name);
}

/**
 * The Cache-Control of an answer for one client. With `no-transform`, no proxy compresses the page together with the
 * data of the client (BREACH).
 *
 * @param cacheControl - Of the page, or of middleware.
 */
export function controlForOne(cacheControl: string | undefined): string {
  const directive = hasDirective(cacheControl, 'no-store') ? 'no-store' : 'no-cache';
  return `private, ${directive}, no-transform`;
}

/**
 * The headers of an answer for one client. The adapter removes the headers of middleware that {@link isForCaches}
 * names: they would let a shared cache keep the answer. Only `no-store` stays.
 *
 * @param headers - As in `Answer.headers`.
 * @param cacheControl - That middleware has set.
 */
export function headersForOne(
  headers: readonly string[],
  cacheControl: string | undefined,
): readonly string[] {
  if (cacheControl === undefined || !FORBIDDEN.test(cacheControl)) return headers;
  const surrogate = valueOf(headers, 'surrogate-control');
  const withheld =
    surrogate === undefined ? headers : withHeader(headers, 'Surrogate-Control', unkept(surrogate));
  if (!hasDirective(cacheControl, 'no-store')) return withheld;
  return withHeader(withheld, 'Cache-Control', controlForOne(cacheControl));
}

/** A Surrogate-Control with which no cache keeps the answer; what it says of the content stays. */
function unkept(surrogate: string): string {
  return ['no-store', ...(/\bcontent="[^"]*"/.exec(surrogate) ?? [])].join(', ');
}

/**
 * The headers of an answer with data of one client, whatever features have added to them.
 *
 * @param isForIncluder - See `StreamedAnswer.isForIncluder`.
 */
export function keptPrivate(headers: HeaderList, isForIncluder = false): readonly string[] {
  const kept: string[] = [];
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i]!.toLowerCase();
    const isKept = !isForCaches(name) || (isForIncluder && isOfIncluder(name));
    if (name !== 'vary' && isKept) kept.push(headers[i]!, headers[i + 1]!);
  }
  kept.push('Cache-Control', controlForOne(valueOf(headers, 'cache-control')));
  const vary = valueOf(headers, 'vary');
  kept.push('Vary', addVary(vary, isForIncluder ? 'Surrogate-Capability' : 'Cookie'));
  return kept;
}

function isOfIncluder(name: string): boolean {
  return name === 'surrogate-control' || name === 'age' || TAGS.has(name);
}

/** Whether an edge is told to keep the answer: it has the tag of a path. */
function isForEdge(headers: HeaderList): boolean {
  for (const name of TAGS) if (valueOf(headers, name)?.includes('ng-p-') === true) return true;
  return false;
}
