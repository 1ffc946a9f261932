import type { Exchange } from '../exchange.ts';
import { isPromise } from '../platform/is-promise.ts';
import { toOwnText } from '../shared-bytes.ts';
import type { AllowedHosts } from './allowed-hosts.ts';
import type { AskedHosts } from './asked-hosts.ts';
import { type KnownHost, sureUntilMs } from './known-host.ts';
import { type Authority, parseAuthority, withoutRootDot } from './authority.ts';
import { firstElement, parseForwarded, type ProxyHeaderPredicate } from './proxy-headers.ts';

/** The verdict on a request's host, and the origin for the engine's URL. */
export type Site =
  | {
      readonly verdict: 'allowed';
      readonly hostname: string;
      readonly origin: string;
      /** How long the verdict holds, by `performance.now()`. */
      readonly untilMs: number;
    }
  | {
      readonly verdict: 'not-allowed';
      readonly hostname: string;
      /** Set where the port alone is refused. */
      readonly port?: number;
    }
  /** The user's function is asked for the host. */
  | { readonly verdict: 'asked'; readonly hostname: string; readonly decided: Promise<DecidedSite> }
  /** The user's function has failed. */
  | { readonly verdict: 'undecided'; readonly hostname: string; readonly error: unknown }
  | { readonly verdict: 'malformed' };

/** A site that nothing needs to be waited for. */
export type DecidedSite = Exclude<Site, { readonly verdict: 'asked' }>;

/** The site of a request whose host cannot be read. */
export const MALFORMED: Site = { verdict: 'malformed' };

/** Enough for all hosts of a server. At this many a map is cleared. */
const REMEMBERED_HOSTS = 1000;

/** What is known of a Host value. */
interface KnownSite {
  readonly site: Site;
  /** The port at which the client must have reached the server for `site`; 0 for any. */
  readonly port: number;
}

/**
 * Step 1 of the request path. Each distinct Host value is parsed and checked once and then remembered, so
 * that a hit costs one map look-up.
 *
 * The port of a host is decided here, too: pages at each port would be pages of their own, with links to it. Allowed
 * are none, that of the scheme, one of `allowedHosts`, and the one at which the client reached the server: the port
 * that a trusted proxy names, or else that of the connection.
 */
export class SiteReader {
  readonly #http = new Map<string, KnownSite>();
  readonly #https = new Map<string, KnownSite>();
  readonly #allowed: AllowedHosts;
  readonly #isTrusted: ProxyHeaderPredicate;
  readonly #trustsAny: boolean;
  readonly #asked: AskedHosts | undefined;

  /** @param asked - Decides on hosts that the list does not have. Undefined refuses them. */
  constructor(
    allowed: AllowedHosts,
    isTrusted: ProxyHeaderPredicate,
    trustsAny: boolean,
    asked?: AskedHosts,
  ) {
    this.#allowed = allowed;
    this.#isTrusted = isTrusted;
    this.#trustsAny = trustsAny;
    this.#asked = asked;
  }

  read(exchange: Exchange): Site {
    if (this.#trustsAny) return this.#readForwarded(exchange);
    const host = exchange.header('host');
    if (host === undefined) return MALFORMED;
    return this.#siteOf(host, exchange.encrypted, exchange);
  }

  #readForwarded(exchange: Exchange): Site {
    const own = exchange.header('host');
    // A proxy's headers replace a valid Host; they do not excuse one that is missing or malformed.
    if (own === undefined || parseAuthority(own) === undefined) return MALFORMED;
    const forwarded = this.#trusted(exchange, 'forwarded');
    const element = forwarded === undefined ? {} : parseForwarded(forwarded);
    if (element === undefined) return MALFORMED;

    const proto = element.proto ?? this.#first(exchange, 'x-forwarded-proto');
    const forwardedHost = element.host ?? this.#first(exchange, 'x-forwarded-host');
    let host = forwardedHost ?? own;
    // The connection is the proxy's: its port says nothing about a host that the client named to the proxy.
    let reached: Reached = forwardedHost === undefined ? exchange : { localPort: undefined };
    const port = this.#first(exchange, 'x-forwarded-port');
    if (port !== undefined) {
      if (port === '' || parseAuthority(`any:${port}`) === undefined) return MALFORMED;
      reached = { localPort: Number(port) };
      const authority = parseAuthority(host);
      if (authority?.port === '') host = `${authority.hostname}:${port}`;
    }

    switch (proto?.toLowerCase()) {
      case undefined:
        return this.#siteOf(host, exchange.encrypted, reached);
      case 'http':
        return this.#siteOf(host, false, reached);
      case 'https':
        return this.#siteOf(host, true, reached);
      default:
        return MALFORMED;
    }
  }

  #trusted(exchange: Exchange, name: string): string | undefined {
    return this.#isTrusted(name) ? exchange.header(name) : undefined;
  }

  #first(exchange: Exchange, name: string): string | undefined {
    const value = this.#trusted(exchange, name);
    return value === undefined ? undefined : firstElement(value);
  }

  #siteOf(host: string, encrypted: boolean, reached: Reached): Site {
    const remembered = encrypted ? this.#https : this.#http;
    const known = remembered.get(host);
    if (known !== undefined && (this.#asked === undefined || isCurrent(known.site))) {
      // Most hosts have no port: their requests need not ask the connection for its own.
      return known.port === 0 ? known.site : atPort(known, reached);
    }
    const judged = this.#judge(parseAuthority(host), encrypted, reached);
    // A function's refusals are remembered by host: their spellings must not displace those of allowed hosts.
    if (this.#asked === undefined || judged.site.verdict === 'allowed') {
      if (remembered.size >= REMEMBERED_HOSTS) remembered.clear();
      remembered.set(toOwnText(host), judged);
    }
    return atPort(judged, reached);
  }

  #judge(received: Authority | undefined, encrypted: boolean, reached: Reached): KnownSite {
    if (received === undefined) return { site: MALFORMED, port: 0 };
    const authority = withoutRootDot(received);
    const { hostname } = authority;
    const ofScheme = encrypted ? 443 : 80;
    const port = authority.port === '' ? ofScheme : Number(authority.port);
    const isListed = this.#allowed.hasPort(hostname, port);
    const needed = isListed || port === ofScheme ? 0 : port === 0 ? NO_PORT : port;
    if (isListed || this.#allowed.hasName(hostname)) {
      return { site: toAllowed(authority, encrypted, Number.POSITIVE_INFINITY), port: needed };
    }
    if (this.#asked === undefined) return { site: { verdict: 'not-allowed', hostname }, port: 0 };
    // The function is asked about names alone.
    const refused: KnownSite = { site: { verdict: 'not-allowed', hostname, port }, port: 0 };
    if (needed !== 0 && reached.localPort !== needed) return refused;
    return { site: this.#ask(this.#asked, authority, encrypted), port: needed };
  }

  #ask(asked: AskedHosts, authority: Authority, encrypted: boolean): Site {
    const { hostname } = authority;
    const toSite = (known: KnownHost): DecidedSite =>
      known.isAllowed
        ? toAllowed(authority, encrypted, sureUntilMs(known))
        : { verdict: 'not-allowed', hostname };
    const known = asked.of(hostname);
    if (!isPromise(known)) return toSite(known);
    const decided = known.then(toSite, (error: unknown): DecidedSite => ({
      verdict: 'undecided',
      hostname,
      error,
    }));
    return { verdict: 'asked', hostname, decided };
  }
}

/** No connection has this port. */
const NO_PORT = -1;

/** Where a client reached the server. */
type Reached = Pick<Exchange, 'localPort'>;

/** The site for a client that reached the server at its port; for others the refusal of the port. */
function atPort({ site, port }: KnownSite, reached: Reached): Site {
  if (port === 0 || !('hostname' in site)) return site;
  const { localPort } = reached;
  if (localPort === port) return site;
  // Nobody gets this answer, and its port says nothing.
  if (localPort === 0) return MALFORMED;
  return { verdict: 'not-allowed', hostname: site.hostname, port: Math.max(port, 0) };
}

function toAllowed(
  { hostname, port }: Authority,
  encrypted: boolean,
  untilMs: number,
): Extract<Site, { readonly verdict: 'allowed' }> {
  const { origin } = new URL(`${encrypted ? 'https' : 'http'}://${hostname}:${port}`);
  return { verdict: 'allowed', hostname, origin, untilMs };
}

function isCurrent(site: Site): boolean {
  return site.verdict === 'allowed' && performance.now() < site.untilMs;
}
