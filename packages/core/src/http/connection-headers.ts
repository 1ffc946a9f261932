/** Headers of a connection, not of the response (RFC 9110 section 7.6.1). */
export const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authentication-info',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * The names, in lower case, of the headers that end with their connection: those above, and those that
 * Connection names.
 *
 * @param connection - The Connection value that the headers came with.
 */
export function connectionHeaders(connection: string | null | undefined): ReadonlySet<string> {
  if (!connection) return CONNECTION_HEADERS;
  const named = connection.split(',').map((option) => option.trim().toLowerCase());
  return new Set([...CONNECTION_HEADERS, ...named]);
}
