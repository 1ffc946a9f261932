import type { Exchange } from '../exchange.ts';
import { type DecidedSite, MALFORMED, type Site, type SiteReader } from '../host/site.ts';
import { type PageReader, ParsedRequest } from '../pages/parsed-request.ts';
import type { Renewal } from '../pages/refreshes.ts';
import { UNREADABLE_REQUEST } from '../unreadable-request.ts';

/** Reads each request once, and again only if it has changed. */
export class RequestParser {
  readonly #targets: PageReader;
  readonly #toSites: () => SiteReader;
  #sites: SiteReader | undefined;

  /** @param toSites - Called with the first request. */
  constructor(targets: PageReader, toSites: () => SiteReader) {
    this.#targets = targets;
    this.#toSites = toSites;
  }

  /** @throws SsrError `NG_SSR_OPTION_INVALID` if the engine's hosts are invalid. */
  parse(exchange: Exchange): ParsedRequest {
    const request = exchange.parsedRequest;
    const earlier =
      request instanceof ParsedRequest && request.pages === this.#targets ? request : undefined;
    if (earlier?.exchange === exchange) return earlier;
    const site = (this.#sites ??= this.#toSites()).read(exchange);
    if (earlier?.passTo(exchange, site) === true) return earlier;
    const isUndecided = earlier?.site.verdict === 'asked' && site.verdict !== 'asked';
    const told = isUndecided ? toldLater(site) : site;
    return (exchange.parsedRequest = new ParsedRequest(exchange, told, this.#targets));
  }

  /** A request that has failed. Never throws. */
  ofFailed(exchange: Exchange): ParsedRequest {
    try {
      return new ParsedRequest(exchange, MALFORMED, this.#targets);
    } catch {
      return this.ofUnreadable();
    }
  }

  /** A request of the server's own. */
  own(exchange: Exchange, renewal?: Renewal): ParsedRequest {
    return Object.assign(this.parse(exchange), { renewal });
  }

  /** A request that throws when it is read. */
  ofUnreadable(): ParsedRequest {
    return new ParsedRequest(UNREADABLE_REQUEST, MALFORMED, this.#targets);
  }
}

/**
 * The site of a request whose earlier look-up had to go without a verdict, which has come since: as it was asked for,
 * what that look-up could not find is looked for again.
 */
function toldLater(site: DecidedSite): Site {
  const hostname = 'hostname' in site ? site.hostname : '';
  return { verdict: 'asked', hostname, decided: Promise.resolve(site) };
}
