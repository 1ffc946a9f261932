import type { Exchange } from '../exchange.ts';
import { MALFORMED, type SiteReader } from '../host/site.ts';
import { type PageReader, Visit } from '../pages/visit.ts';
import { UNREADABLE_REQUEST } from '../unreadable-request.ts';

/** Reads each exchange once, into a visit. */
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
    if (visit instanceof Visit && visit.pages === this.#targets) return visit;
    const site = (this.#sites ??= this.#toSites()).read(exchange);
    return (exchange.visit = new Visit(exchange, site, this.#targets));
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
