import { type HeaderList, valueOf } from './header-list.ts';

/** Cache controls for one edge, or for all of them (RFC 9213). */
const CONTROLS: ReadonlySet<string> = new Set([
  'cdn-cache-control',
  'surrogate-control',
  'cloudflare-cdn-cache-control',
  'netlify-cdn-cache-control',
]);

/** The fields from which edges read tags. */
const TAGS: ReadonlySet<string> = new Set([
  'xkey',
  'surrogate-key',
  'cache-tag',
  'netlify-cache-tag',
]);

/** The fields without those that are for edges alone. */
export function withoutEdgeFields(fields: HeaderList): string[] {
  const kept: string[] = [];
  for (let i = 0; i < fields.length; i += 2) {
    const name = fields[i]!.toLowerCase();
    const isOfEdge = CONTROLS.has(name) || TAGS.has(name) || name === 'netlify-vary';
    if (!isOfEdge) kept.push(fields[i]!, fields[i + 1]!);
  }
  return kept;
}

/** The fields of an answer that an edge was to keep, for one that it must not keep. Other fields stay as they are. */
export function withheldFromEdge(fields: HeaderList): HeaderList {
  if (!isForEdge(fields)) return fields;
  const withheld = withoutEdgeFields(fields);
  for (let i = 0; i < fields.length; i += 2) {
    if (CONTROLS.has(fields[i]!.toLowerCase())) withheld.push(fields[i]!, 'no-store');
  }
  return withheld;
}

/**
 * The fields of an answer beside those that middleware has set: an edge must not keep it with a cookie, nor where
 * middleware leaves no shared cache the right to.
 *
 * @param fields - As in `Answer.headers`.
 * @param cacheControl - That middleware has set.
 * @param setsCookie - Whether middleware has set Set-Cookie.
 */
export function fieldsBeside(
  fields: readonly string[],
  cacheControl: string | undefined,
  setsCookie: boolean,
): readonly string[] {
  const isWithheld = setsCookie || (cacheControl !== undefined && FORBIDDEN.test(cacheControl));
  return isWithheld ? withheldFromEdge(fields) : fields;
}

const FORBIDDEN = /private|no-store|no-cache/i;

/** Whether an edge is told to keep the answer: it has the tag of a path. */
function isForEdge(fields: HeaderList): boolean {
  for (const name of TAGS) if (valueOf(fields, name)?.includes('ng-p-') === true) return true;
  return false;
}
