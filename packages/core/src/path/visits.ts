import type { Exchange } from '../exchange.ts';
import { type DecidedSite, MALFORMED, type Site, type SiteReader } from '../host/site.ts';
import { type PageReader, Visit } from '../pages/visit.ts';
import { UNREADABLE_REQUEST } from '../unreadable-request.ts';

/** Reads each request once, into a visit, and again only if it has changed. */
export class Visits {
  readonly #targets: PageReader;
  readonly #toSites: () => SiteReader;
  #sites: SiteReader | undefined;

  /** @param toSites - Called with the first request. */
  constructor(targets: PageReader, toSites: () => SiteReader) {
    this.#targets = targets;
    this.#toSites = toSites;
  }

  /** @throws SsrError `NG_SSR_OPTION_INVALID` if the engine's hosts are invalid. */
  of(exchange: Exchange): Visit {
    const { visit } = exchange;
    const earlier = visit instanceof Visit && visit.pages === this.#targets ? visit : undefined;
    if (earlier?.exchange === exchange) return earlier;
    const site = (this.#sites ??= this.#toSites()).read(exchange);
    if (earlier?.passTo(exchange, site) === true) return earlier;
    const isUndecided = earlier?.site.verdict === 'asked' && site.verdict !== 'asked';
    const told = isUndecided ? toldLater(site) : site;
    return (exchange.visit = new Visit(exchange, told, this.#targets));
  }

  /** The visit of a request that has failed. Never throws. */
  ofFailed(exchange: Exchange): Visit {
    try {
      return new Visit(exchange, MALFORMED, this.#targets);
    } catch {
      return this.ofUnreadable();
    }
  }

  /** The visit of a request that throws when it is read. */
  ofUnreadable(): Visit {
    return new Visit(UNREADABLE_REQUEST, MALFORMED, this.#targets);
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
