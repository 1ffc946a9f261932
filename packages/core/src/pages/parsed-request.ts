import type { Exchange } from '../exchange.ts';
import { type DecidedSite, MALFORMED, type Site, type SiteReader } from '../host/site.ts';
import { isWellFormed, pathOf } from '../http/target.ts';
import { UNREADABLE_REQUEST } from '../unreadable-request.ts';
import type { PageTarget } from './key/page-target.ts';
import type { CachedPage } from './memory/cached-page.ts';
import type { Renewal } from './refreshes.ts';

/** A stored page that is the answer to a request. */
export interface Hit {
  readonly key: string;
  readonly held: CachedPage;
}

/** Reads which page a request target asks for. */
export interface PageReader {
  /** @param target - Well-formed, in origin form. */
  read(target: string): PageTarget;
}

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

/**
 * A parsed request: each part is parsed once, on first use. An adapter makes a new exchange if user code may have
 * changed the request; what was parsed is passed on to it if it is still right.
 */
export class ParsedRequest {
  exchange: Exchange;
  site: Site;
  /** That of the handler: two handlers may get the same exchange. */
  readonly pages: PageReader;
  readonly method: string;
  readonly target: string;
  readonly targetBelowMount: string;
  /** Whether a page or file can be the answer (RFC 9110 sections 9.3.1 and 9.3.2). */
  readonly isRead: boolean;
  /** Whether the answer is one that has seen the whole query: a redirect is sent as it is. */
  hasOwnQuery = false;
  /** The stored page that is its answer, until it is counted. */
  hit: Hit | undefined;
  /** What a feature that completes pages has read of the exchange that it names. */
  completion: { readonly exchange: Exchange } | undefined;
  /** Set if the page is rendered even if it is stored. */
  renewal: Renewal | undefined;
  #page: PageTarget | undefined;
  #isWellFormed: boolean | undefined;

  constructor(exchange: Exchange, site: Site, pages: PageReader) {
    this.exchange = exchange;
    this.site = site;
    this.pages = pages;
    const { method, target, targetBelowMount = target } = exchange;
    this.method = method;
    this.target = target;
    this.targetBelowMount = targetBelowMount;
    this.isRead = method === 'GET' || method === 'HEAD';
  }

  /** Waits for the verdict on its host. Never rejects. */
  async decide(): Promise<void> {
    if (this.site.verdict === 'asked') this.site = await this.site.decided;
  }

  /** The origin of an allowed site; empty for others. */
  get origin(): string {
    return this.site.verdict === 'allowed' ? this.site.origin : '';
  }

  /** Method and target, for messages. */
  get name(): string {
    return `${this.method} ${this.target}`;
  }

  /** The path of the target as it was sent, with its escapes and without the query. */
  get path(): string {
    return pathOf(this.target);
  }

  get isWellFormed(): boolean {
    const { target, targetBelowMount } = this;
    return (this.#isWellFormed ??=
      isWellFormed(target) && (targetBelowMount === target || isWellFormed(targetBelowMount)));
  }

  /** The page that a well-formed target asks for, and the rule of its route. */
  get page(): PageTarget {
    return (this.#page ??= this.pages.read(this.target));
  }

  /**
   * Passes what was parsed on to a later exchange of the request. All else that the core knows of a request is read from the
   * exchange whenever it is needed.
   *
   * @param site - Read from that exchange.
   * @returns false if the request has changed: this stays the one of the earlier exchange.
   */
  passTo(exchange: Exchange, site: Site): boolean {
    const { method, target, targetBelowMount = target } = exchange;
    const isSame =
      site === this.site &&
      method === this.method &&
      target === this.target &&
      targetBelowMount === this.targetBelowMount;
    if (isSame) this.exchange = exchange;
    return isSame;
  }

  /** A GET for the whole page, in place of a HEAD. */
  asGet(): ParsedRequest {
    return this.as(toGet(this.exchange));
  }

  /** The same page and site with other headers. */
  as(exchange: Exchange): ParsedRequest {
    const parsed = new ParsedRequest(exchange, this.site, this.pages);
    parsed.#page = this.#page;
    return parsed;
  }
}

function toGet(exchange: Exchange): Exchange {
  // A server thread has its render done elsewhere, where the host is checked again.
  const { target, targetBelowMount, encrypted, localPort, status } = exchange;
  return {
    ...{ method: 'GET', target, targetBelowMount, encrypted, localPort, status },
    header: (name) => (name === 'range' ? undefined : exchange.header(name)),
    headers: () => exchange.headers(),
    content: (maxBytes) => exchange.content(maxBytes),
    onDisconnect: (listener) => exchange.onDisconnect?.(listener) ?? (() => undefined),
    waitUntil: (work) => exchange.waitUntil?.(work),
  };
}
