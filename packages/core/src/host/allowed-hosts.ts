import { SsrError } from '../errors.ts';
import { parseAuthority } from './authority.ts';

/** Whether the server answers for a host name (lower case, without port). */
export type HostPredicate = (hostname: string) => boolean;

/**
 * Compiles `allowedHosts` as Angular understands it: an exact name, `*.example.com` for every sub-domain (not
 * the apex), `*` for any host. Ports are ignored.
 *
 * @see https://angular.dev/best-practices/security#preventing-server-side-request-forgery-ssrf
 */
export function toHostPredicate(allowedHosts: readonly string[]): HostPredicate {
  if (allowedHosts.includes('*')) return () => true;
  const exact = new Set<string>();
  const suffixes: string[] = [];
  for (const host of allowedHosts) {
    if (host.startsWith('*.')) suffixes.push(host.slice(1).toLowerCase());
    // An IPv6 address has many spellings; requests are compared by its normal form.
    else exact.add(parseAuthority(host)?.hostname ?? host.toLowerCase());
  }
  return (hostname) => exact.has(hostname) || suffixes.some((suffix) => hostname.endsWith(suffix));
}

/**
 * Checks one entry of `allowedHosts`.
 *
 * @throws SsrError `NG_SSR_OPTION_INVALID` for anything but a host name, `*.` and a name, or `*`:
 * a scheme, a port or a path in it would never match.
 */
export function assertHostPattern(pattern: unknown, source: string): asserts pattern is string {
  if (typeof pattern === 'string') {
    if (pattern === '*') return;
    const name = pattern.startsWith('*.') ? pattern.slice(2) : pattern;
    const authority = parseAuthority(name);
    if (authority !== undefined && authority.port === '') return;
  }
  throw new SsrError(
    'NG_SSR_OPTION_INVALID',
    `${source} has the entry ${JSON.stringify(pattern)}; allowed: host names without scheme, ` +
      'port and path ("shop.example", "127.0.0.1", "[::1]"), "*.shop.example", and "*"',
  );
}
