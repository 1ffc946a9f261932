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
