/** Methods that change nothing: the safe ones of IANA's registry (RFC 9110 section 9.2.1). */
const SAFE: ReadonlySet<string> = new Set([
  ...['GET', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY', 'PROPFIND', 'REPORT', 'SEARCH'],
]);

/** Whether a request with this method may change what pages show. Unregistered methods count as unsafe. */
export function isUnsafe(method: string): boolean {
  return !SAFE.has(method);
}
