import type { Exchange } from '../exchange.ts';
import type { HostPredicate } from './allowed-hosts.ts';
import type { AskedHosts } from './asked-hosts.ts';
import { type KnownHost, sureUntilMs } from './known-host.ts';
import { type Authority, parseAuthority } from './authority.ts';
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
  | { readonly verdict: 'not-allowed'; readonly hostname: string }
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

/**
 * Step 1 of the request path. Each distinct Host value is parsed and checked once and then remembered, so
 * that a hit costs one map look-up.
 */
export class SiteReader {
  readonly #http = new Map<string, Site>();
  readonly #https = new Map<string, Site>();
  readonly #isAllowed: HostPredicate;
  readonly #isTrusted: ProxyHeaderPredicate;
  readonly #trustsAny: boolean;
  readonly #asked: AskedHosts | undefined;

  /** @param asked - Decides on hosts that the predicate does not allow. Undefined refuses them. */
  constructor(
    isAllowed: HostPredicate,
    isTrusted: ProxyHeaderPredicate,
    trustsAny: boolean,
    asked?: AskedHosts,
  ) {
    this.#isAllowed = isAllowed;
    this.#isTrusted = isTrusted;
    this.#trustsAny = trustsAny;
    this.#asked = asked;
  }

  read(exchange: Exchange): Site {
    if (this.#trustsAny) return this.#readForwarded(exchange);
    const host = exchange.header('host');
    if (host === undefined) return MALFORMED;
    return this.#siteOf(host, exchange.encrypted);
  }

  #readForwarded(exchange: Exchange): Site {
    const own = exchange.header('host');
    // A proxy's fields replace a valid Host; they do not excuse one that is missing or malformed.
    if (own === undefined || parseAuthority(own) === undefined) return MALFORMED;
    const forwarded = this.#trusted(exchange, 'forwarded');
    const element = forwarded === undefined ? {} : parseForwarded(forwarded);
    if (element === undefined) return MALFORMED;

    const proto = element.proto ?? this.#first(exchange, 'x-forwarded-proto');
    let host = element.host ?? this.#first(exchange, 'x-forwarded-host') ?? own;
    const port = this.#first(exchange, 'x-forwarded-port');
    if (port !== undefined && parseAuthority(host)?.port === '') host = `${host}:${port}`;

    switch (proto?.toLowerCase()) {
      case undefined:
        return this.#siteOf(host, exchange.encrypted);
      case 'http':
        return this.#siteOf(host, false);
      case 'https':
        return this.#siteOf(host, true);
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

  #siteOf(host: string, encrypted: boolean): Site {
    const remembered = encrypted ? this.#https : this.#http;
    const known = remembered.get(host);
    if (known !== undefined && (this.#asked === undefined || isCurrent(known))) return known;
    const site = this.#judge(parseAuthority(host), encrypted);
    // A function's refusals are remembered by host: their spellings must not displace those of allowed hosts.
    if (this.#asked !== undefined && site.verdict !== 'allowed') return site;
    if (remembered.size >= REMEMBERED_HOSTS) remembered.clear();
    remembered.set(host, site);
    return site;
  }

  #judge(authority: Authority | undefined, encrypted: boolean): Site {
    if (authority === undefined) return MALFORMED;
    const { hostname } = authority;
    if (this.#isAllowed(hostname)) return toAllowed(authority, encrypted, Number.POSITIVE_INFINITY);
    if (this.#asked === undefined) return { verdict: 'not-allowed', hostname };
    return this.#ask(this.#asked, withoutRootDot(authority), encrypted);
  }

  #ask(asked: AskedHosts, authority: Authority, encrypted: boolean): Site {
    const { hostname } = authority;
    const toSite = (known: KnownHost): DecidedSite =>
      known.isAllowed
        ? toAllowed(authority, encrypted, sureUntilMs(known))
        : { verdict: 'not-allowed', hostname };
    const known = asked.of(hostname);
    if (!(known instanceof Promise)) return toSite(known);
    const decided = known.then(toSite, (error: unknown): DecidedSite => ({
      verdict: 'undecided',
      hostname,
      error,
    }));
    return { verdict: 'asked', hostname, decided };
  }
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

/** The same host, as DNS names it: `shop.example.` has the pages of `shop.example`. */
function withoutRootDot(authority: Authority): Authority {
  const { hostname } = authority;
  if (!hostname.endsWith('.') || hostname.length === 1) return authority;
  return { ...authority, hostname: hostname.slice(0, -1) };
}
