import { readDirectives, secondsOf } from './cache-control.ts';
import { type HeaderList, valueOf } from './header-list.ts';
import { parseHttpDate } from './http-date.ts';

/**
 * The value of Use-As-Dictionary (RFC 9842 section 2.1).
 *
 * @param match - The URLs for which a client may use the content as a dictionary, relative to its own: a
 * path in which `*` stands for any text.
 * @param destination - What such a request is for, as in Sec-Fetch-Dest.
 * @returns undefined for a path with characters that have a meaning in URL patterns.
 */
export function useAsDictionary(
  match: string,
  destination: 'document' | 'script' | 'style',
): string | undefined {
  return /^[\w/.~%*-]+$/.test(match)
    ? `match="${match}", match-dest=("${destination}")`
    : undefined;
}

/**
 * Whether a browser keeps an answer as a dictionary: only as long as it is fresh, or may be used stale (RFC 9842
 * section 2.1.1).
 *
 * @param headers - Of the answer.
 */
export function mayBeKept(headers: HeaderList): boolean {
  const directives = readDirectives(valueOf(headers, 'cache-control') ?? '');
  if (directives.has('no-store') || directives.has('no-cache')) return false;
  const isStaleForbidden = directives.has('must-revalidate');
  const staleSeconds = secondsOf(directives, 'stale-while-revalidate') ?? 0;
  if (!isStaleForbidden && staleSeconds > 0) return true;
  const maxAge = secondsOf(directives, 'max-age');
  if (maxAge !== undefined) return maxAge > 0;
  const [expiresMs, dateMs = Date.now()] = ['expires', 'date'].map((name) => {
    const value = valueOf(headers, name);
    return value === undefined ? undefined : parseHttpDate(value);
  });
  return expiresMs !== undefined && expiresMs > dateMs;
}
