import { showValue } from '../check-option.ts';
import { SsrError } from '../errors.ts';
import { parseAuthority, withoutRootDot } from './authority.ts';

/** Which hosts a list allows, and at which ports. Names are in lower case, without port. */
export interface AllowedHosts {
  /** Whether an entry without a port has the name: at the server's own ports. */
  hasName(hostname: string): boolean;
  /** Whether an entry has the name with this port, or the list has `*`. */
  hasPort(hostname: string, port: number): boolean;
}

/**
 * Compiles `allowedHosts`: an exact name, `*.example.com` for every sub-domain (not the apex), as Angular understands
 * them; `*` for any host at any port. An entry with a port allows that port alone.
 *
 * @see https://angular.dev/best-practices/security#preventing-server-side-request-forgery-ssrf
 */
export function toAllowedHosts(entries: readonly string[]): AllowedHosts {
  if (entries.includes('*')) return { hasName: () => true, hasPort: () => true };
  const names = new HostNames();
  const byPort = new Map<number, HostNames>();
  for (const entry of entries) {
    const { name, port } = readEntry(entry);
    if (port === undefined) {
      names.add(name);
      continue;
    }
    const ofPort = byPort.get(port) ?? new HostNames();
    byPort.set(port, ofPort.add(name));
  }
  return {
    hasName: (hostname) => names.has(hostname),
    hasPort: (hostname, port) => byPort.get(port)?.has(hostname) === true,
  };
}

/** The entries without their ports, for Angular's engines: these check names alone. */
export function withoutPorts(entries: readonly string[]): string[] {
  const isPlain = (entry: string): boolean => !PORT.test(entry) && !entry.endsWith('.');
  return [...new Set(entries.map((entry) => (isPlain(entry) ? entry : readEntry(entry).name)))];
}

/** Exact names, and those of sub-domains. */
class HostNames {
  readonly #exact = new Set<string>();
  readonly #suffixes: string[] = [];

  add(name: string): this {
    if (name.startsWith('*.')) this.#suffixes.push(name.slice(1));
    else this.#exact.add(name);
    return this;
  }

  has(hostname: string): boolean {
    return this.#exact.has(hostname) || this.#suffixes.some((suffix) => hostname.endsWith(suffix));
  }
}

const PORT = /:\d+$/;

function readEntry(entry: string): { readonly name: string; readonly port: number | undefined } {
  const wildcard = entry.startsWith('*.') ? '*.' : '';
  // An IPv6 address has many spellings; requests are compared by its normal form.
  const authority = parseAuthority(entry.slice(wildcard.length));
  if (authority === undefined) return { name: entry.toLowerCase(), port: undefined };
  const { hostname, port } = withoutRootDot(authority);
  return { name: wildcard + hostname, port: port === '' ? undefined : Number(port) };
}

/**
 * Checks one entry of `allowedHosts`.
 *
 * @throws SsrError `NG_SSR_OPTION_INVALID` for anything but a host name, `*.` and a name, each also with a port, or
 * `*`: a scheme or a path in it would never match.
 */
export function assertHostPattern(pattern: unknown, source: string): asserts pattern is string {
  if (typeof pattern === 'string') {
    if (pattern === '*') return;
    const authority = parseAuthority(pattern.startsWith('*.') ? pattern.slice(2) : pattern);
    if (authority !== undefined && authority.port !== '0' && !pattern.endsWith(':')) return;
  }
  const meant = hostOf(pattern);
  throw new SsrError(
    'NG_SSR_OPTION_INVALID',
    `${source} has the entry ${showValue(pattern)}; allowed: a host name without scheme and path, such as ` +
      '"shop.example", "localhost:8080", "[::1]", "*.shop.example" or "*"' +
      (meant === undefined ? '' : `. Did you mean ${showValue(meant)}?`),
  );
}

/** The host of an origin, a URL, or a host with a path. */
function hostOf(entry: unknown): string | undefined {
  if (typeof entry !== 'string') return undefined;
  const url = /^https?:/i.test(entry) ? entry : `http://${entry}`;
  const host = /^[\w.:[\]/-]+$/.test(url) && URL.canParse(url) ? new URL(url).host : '';
  return host === '' || host === entry ? undefined : host;
}
