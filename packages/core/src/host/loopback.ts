/**
 * Whether an entry of `allowedHosts`, at any port, is a name by which only this machine reaches the server.
 *
 * @see RFC 6761 section 6.3, RFC 1122 section 3.2.1.3
 */
export function isLoopback(entry: string): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])\.?(?::\d+)?$/i.test(entry);
}
