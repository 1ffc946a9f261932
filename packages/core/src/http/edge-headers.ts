import { type HeaderList, valueOf } from './header-list.ts';

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

/** Whether an edge is told to keep the answer: it has the tag of a path. */
function isForEdge(headers: HeaderList): boolean {
  for (const name of TAGS) if (valueOf(headers, name)?.includes('ng-p-') === true) return true;
  return false;
}
