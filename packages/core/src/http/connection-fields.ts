/** Fields of a connection, not of the response (RFC 9110 section 7.6.1). */
export const CONNECTION_FIELDS: ReadonlySet<string> = new Set([
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
 * Whether a field ends with its connection: by its name, or because Connection names it.
 *
 * @param name - In lower case.
 * @param connection - The Connection value it came with.
 */
export function isOfConnection(name: string, connection: string | null | undefined): boolean {
  if (CONNECTION_FIELDS.has(name)) return true;
  if (connection === null || connection === undefined) return false;
  return connection.split(',').some((option) => option.trim().toLowerCase() === name);
}
