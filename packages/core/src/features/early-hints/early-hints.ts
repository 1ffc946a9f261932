import type { BuiltFiles } from '../../path/request-files.ts';
import type { Locales } from '../../locales/locales.ts';
import { normalisePath } from '../../http/target.ts';
import type { RouteRules } from '../../pages/policy/route-rules.ts';
import type { ParsedRequest } from '../../pages/parsed-request.ts';
import type { Rendered } from '../../render/render-whole.ts';
import { BuiltLinks } from './built-links.ts';
import { LearnedHints } from './learned-hints.ts';

/** 103 (Early Hints, RFC 8297): lets browsers load the styles and scripts of a page while it is rendered. */
export class EarlyHints {
  readonly #rules: RouteRules;
  readonly #locales: Locales | undefined;
  readonly #links: BuiltLinks;
  readonly #learned = new LearnedHints();

  /** @param locales - Undefined for a build that is not localized. Hosts that have a locale at their root get no hints. */
  constructor(built: BuiltFiles, rules: RouteRules, locales: Locales | undefined) {
    this.#rules = rules;
    this.#locales = locales;
    this.#links = new BuiltLinks(built);
  }

  /** Sends the hints for a page that is about to be rendered, if its client takes any. */
  send(request: ParsedRequest): void {
    const { exchange, page } = request;
    if (exchange.earlyHints === undefined || !isFirstNavigation(request)) return;
    if (this.#locales !== undefined && this.#locales.siteOf(request) !== '') return;
    const hints = this.#learned.find(page.routePath) ?? this.#links.ofDocument(page.path);
    if (hints.length > 0) exchange.earlyHints(hints);
  }

  /**
   * Notes the links of a rendered page.
   *
   * @param url - As the engine got it.
   */
  learn(url: string, { response, body }: Rendered): void {
    if (response.status !== 200) return;
    if (response.headers.get('content-type')?.startsWith('text/html') !== true) return;
    const { hostname, pathname } = new URL(url);
    if (this.#locales?.atRootOf(hostname, pathname) !== undefined) return;
    const path = normalisePath(pathname);
    this.#learned.learn(this.#rules.read(path).routePath, this.#links.ofPage(path, body));
  }
}

/**
 * Whether a browser navigates to a page that it does not have. Browsers use hints for navigations only, and
 * all that use them send Sec-Fetch-Mode; clients without it may take a 103 for the answer (RFC 8297 section
 * 3). A browser with validators has the page, and what the page loads.
 */
function isFirstNavigation({ method, exchange }: ParsedRequest): boolean {
  return (
    method === 'GET' &&
    exchange.header('sec-fetch-mode') === 'navigate' &&
    exchange.header('if-none-match') === undefined &&
    exchange.header('if-modified-since') === undefined
  );
}
