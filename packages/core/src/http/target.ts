/** The path of an origin-form target: everything before the query, as received. */
export function pathOf(target: string): string {
  const query = target.indexOf('?');
  return query === -1 ? target : target.slice(0, query);
}

/**
 * Whether all parsers read a request target alike (origin-form of RFC 9112 section 3.2.1, in the characters
 * of RFC 3986). Refused are absolute-form and `*`; an empty first segment (`//host` is a host to a URL
 * parser); `.` and `..` segments, backslashes and NUL in any encoding; fragments; percent signs that start no
 * octet; octets that are not UTF-8.
 */
export function isWellFormed(target: string): boolean {
  if (target.charCodeAt(0) !== 0x2f /* / */ || target.charCodeAt(1) === 0x2f) return false;
  let hasEscape = false;
  let hasDot = false;
  let inQuery = false;
  for (let i = 0; i < target.length; i++) {
    const code = target.charCodeAt(i);
    if (code <= 0x20 || code >= 0x7f || code === 0x23 /* # */) return false;
    if (inQuery) continue;
    if (code === 0x3f /* ? */) inQuery = true;
    else if (code === 0x5c /* \ */) return false;
    else if (code === 0x25 /* % */) hasEscape = true;
    else if (code === 0x2e /* . */) hasDot = true;
  }
  if (!hasEscape && !hasDot) return true;
  const path = hasEscape ? decodePath(pathOf(target)) : pathOf(target);
  return path !== undefined && !hasDotSegment(path) && !hasForbidden(path);
}

/**
 * The normal form of a built file's path, for URLs with needless escapes: every segment is decoded and
 * encoded again.
 *
 * @returns undefined when the path has a malformed escape or an encoded slash: no file name contains a slash.
 */
export function canonicalPath(path: string): string | undefined {
  if (isUnescaped(path)) return path;
  const segments: string[] = [];
  for (const segment of path.split('/')) {
    const decoded = decodePath(segment);
    if (decoded === undefined || decoded.includes('/')) return undefined;
    segments.push(encodeURIComponent(decoded));
  }
  return segments.join('/');
}

/**
 * The normal form of a path, for all spellings that name the same resource (RFC 3986 section 6.2.2): escapes
 * in upper case, and no escape for an unreserved character. Escaped delimiters stay escaped, since `%3B` and
 * `;` differ for the application.
 *
 * @param path - Well-formed, as `isWellFormed` checks.
 */
export function normalisePath(path: string): string {
  if (!path.includes('%')) return path;
  return path.replaceAll(/%[\da-f]{2}/gi, (escape) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return UNRESERVED.test(character) ? character : escape.toUpperCase();
  });
}

/** RFC 3986 section 2.3. */
const UNRESERVED = /[\w.~-]/;

/**
 * The entry of a target's path, in whatever spelling of its escapes.
 *
 * @param site - Stands in front of the path in the map.
 */
export function lookUp<T>(map: ReadonlyMap<string, T>, target: string, site = ''): T | undefined {
  const path = pathOf(target);
  const entry = map.get(site === '' ? path : site + path);
  if (entry !== undefined || map.size === 0) return entry;
  const canonical = canonicalPath(path);
  return canonical === undefined || canonical === path ? undefined : map.get(site + canonical);
}

/** Whether a path consists of characters that are never escaped. */
function isUnescaped(path: string): boolean {
  for (let i = 0; i < path.length; i++) {
    const code = path.charCodeAt(i);
    const isPlain =
      (code >= 0x61 && code <= 0x7a) || // a to z
      (code >= 0x2d && code <= 0x39) || // - . / and digits
      (code >= 0x41 && code <= 0x5a) || // A to Z
      code === 0x5f || // _
      code === 0x7e; // ~
    if (!isPlain) return false;
  }
  return true;
}

function decodePath(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

function hasForbidden(path: string): boolean {
  for (let i = 0; i < path.length; i++) {
    const code = path.charCodeAt(i);
    if (code < 0x20 || code === 0x7f || code === 0x5c) return true;
  }
  return false;
}

function hasDotSegment(path: string): boolean {
  return path.split('/').some((segment) => segment === '.' || segment === '..');
}
