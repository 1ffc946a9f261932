/** Directives of a Cache-Control value: names in lower case, arguments unquoted, `true` for none. */
export type Directives = ReadonlyMap<string, string | true>;

/**
 * Reads a Cache-Control value (RFC 9111 section 5.2). Quoted arguments may contain commas. Of a repeated
 * directive the first counts (section 4.2.1).
 */
export function readDirectives(value: string): Directives {
  const directives = new Map<string, string | true>();
  for (const part of splitOutsideQuotes(value)) {
    const equals = part.indexOf('=');
    const name = (equals === -1 ? part : part.slice(0, equals)).trim().toLowerCase();
    if (name === '' || directives.has(name)) continue;
    directives.set(name, equals === -1 ? true : unquote(part.slice(equals + 1).trim()));
  }
  return directives;
}

/** Whether a Cache-Control value has a directive (lower case), with or without an argument. */
export function hasDirective(cacheControl: string | undefined, directive: string): boolean {
  return cacheControl !== undefined && readDirectives(cacheControl).has(directive);
}

/** The longest lifetime (RFC 9111 section 1.2.2). */
const MOST_SECONDS = 2 ** 31;

/**
 * The argument of a directive in seconds (RFC 9111 section 1.2.2).
 *
 * @returns undefined when the directive is absent, and 0 when its argument is missing or unreadable, which
 * counts as stale (section 4.2.1).
 */
export function secondsOf(directives: Directives, name: string): number | undefined {
  const argument = directives.get(name);
  if (argument === undefined) return undefined;
  if (argument === true || argument === '') return 0;
  for (let i = 0; i < argument.length; i++) {
    const code = argument.charCodeAt(i);
    if (code < 0x30 || code > 0x39) return 0;
  }
  return Math.min(Number(argument), MOST_SECONDS);
}

/** The lifetimes that directives state, in seconds, as {@link secondsOf} reads them. */
export interface Lifetimes {
  /** Of this cache: s-maxage, or else max-age. */
  readonly shared: number | undefined;
  readonly staleWhileRevalidate: number | undefined;
  readonly staleIfError: number | undefined;
}

export function readLifetimes(directives: Directives): Lifetimes {
  return {
    shared: secondsOf(directives, 's-maxage') ?? secondsOf(directives, 'max-age'),
    staleWhileRevalidate: secondsOf(directives, 'stale-while-revalidate'),
    staleIfError: secondsOf(directives, 'stale-if-error'),
  };
}

/**
 * A quoted argument begins after `=`. If a quote stands elsewhere or is never closed, every comma separates,
 * and quotes around a directive are dropped, so that no misplaced quote hides `private`.
 */
function splitOutsideQuotes(value: string): string[] {
  if (!value.includes('"')) return value.split(',');
  const parts: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let i = 0; i < value.length; i++) {
    const character = value[i];
    if (character === '\\' && isQuoted) i++;
    else if (character === '"') {
      if (!isQuoted && !value.slice(start, i).trimEnd().endsWith('=')) return splitMisspelt(value);
      isQuoted = !isQuoted;
    } else if (character === ',' && !isQuoted) {
      parts.push(value.slice(start, i));
      start = i + 1;
    }
  }
  if (isQuoted) return splitMisspelt(value);
  parts.push(value.slice(start));
  return parts;
}

function splitMisspelt(value: string): string[] {
  const parts = value.split(',');
  return parts.map((part) => (part.includes('=') ? part : part.replaceAll('"', '')));
}

function unquote(argument: string): string {
  const isQuoted = argument.length > 1 && argument.startsWith('"') && argument.endsWith('"');
  return isQuoted ? argument.slice(1, -1).replaceAll(/\\(.)/g, '$1') : argument;
}
