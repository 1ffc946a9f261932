/**
 * The normal form of a path, for all spellings that name the same resource (RFC 3986 section 6.2.2): escapes
 * in upper case, and no escape for an unreserved character. Escaped delimiters stay escaped, since `%3B` and
 * `;` differ for the application.
 *
 * @param path - Well-formed, as `isWellFormed` checks.
 */
export function normalisePath(path: string): string {
  if (!path.includes('%')) return path;
  let normalised = '';
  for (let i = 0; i < path.length; i++) {
    if (path[i] !== '%') {
      normalised += path[i];
      continue;
    }
    const code = Number.parseInt(path.slice(i + 1, i + 3), 16);
    normalised += isUnreserved(code)
      ? String.fromCharCode(code)
      : path.slice(i, i + 3).toUpperCase();
    i += 2;
  }
  return normalised;
}

function isUnreserved(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x61 && code <= 0x7a) ||
    code === 0x2d ||
    code === 0x2e ||
    code === 0x5f ||
    code === 0x7e
  );
}
