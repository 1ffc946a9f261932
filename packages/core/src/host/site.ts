import type { Exchange } from '../exchange.ts';
import type { HostPredicate } from './allowed-hosts.ts';
import { type Authority, parseAuthority } from './authority.ts';
import { firstElement, parseForwarded, type ProxyHeaderPredicate } from './proxy-headers.ts';

/** The verdict on a request's host, and the origin for the engine's URL. */
export type Site =
  | { readonly verdict: 'allowed'; readonly hostname: string; readonly origin: string }
  | { readonly verdict: 'not-allowed'; readonly hostname: string }
  | { readonly verdict: 'malformed' };

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

  constructor(isAllowed: HostPredicate, isTrusted: ProxyHeaderPredicate, trustsAny: boolean) {
    this.#isAllowed = isAllowed;
    this.#isTrusted = isTrusted;
    this.#trustsAny = trustsAny;
  }

  read(exchange: Exchange): Site {
    if (this.#trustsAny) return this.#readForwarded(exchange);
    const host = exchange.header('host');
    if (host === undefined) return MALFORMED;
    const { encrypted } = exchange;
    const remembered = encrypted ? this.#https : this.#http;
    return remembered.get(host) ?? this.#siteOf(host, encrypted);
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
    let site = remembered.get(host);
    if (site === undefined) {
      site = this.#judge(parseAuthority(host), encrypted);
      if (remembered.size >= REMEMBERED_HOSTS) remembered.clear();
      remembered.set(host, site);
    }
    return site;
  }

  #judge(authority: Authority | undefined, encrypted: boolean): Site {
    if (authority === undefined) return MALFORMED;
    const { hostname, port } = authority;
    if (!this.#isAllowed(hostname)) return { verdict: 'not-allowed', hostname };
    const { origin } = new URL(`${encrypted ? 'https' : 'http'}://${hostname}:${port}`);
    return { verdict: 'allowed', hostname, origin };
  }
}
