import { SsrError } from '../errors.ts';
import { PRERENDERED_MARKER } from '../prerendered-marker.ts';
import type { Rendered } from '../render/render-whole.ts';
import { toRouteName } from './key/route-name.ts';
import type { ParsedRequest } from './parsed-request.ts';
import { judgeRender } from './policy/judge-render.ts';
import { asksNotToStore, type Reason } from './policy/may-store.ts';
import { describeNotStored } from './policy/not-stored-reasons.ts';
import type { RouteRules } from './policy/route-rules.ts';

/** Pages with names such as /news/summer-sale are routes of their own here: their number is not known. */
const MOST_ROUTES = 30;
/** Intended, or reported as an error. */
const NOT_REPORTED: ReadonlySet<Reason> = new Set<Reason>([
  'rule',
  'request-no-store',
  'errors',
  'call-loop',
]);

/** Under `ng serve`, where no page is cached: which pages a build would not cache either, and the rule that changes it. */
export class CachingAdvice {
  readonly #rules: RouteRules;
  readonly #report: (error: SsrError) => void;
  readonly #reported = new Set<string>();

  constructor(rules: RouteRules, report: (error: SsrError) => void) {
    this.#rules = rules;
    this.#report = report;
  }

  /** @returns Why a build would not cache this page; undefined if it would. Reports it once for a route. */
  reasonFor({ page, exchange }: ParsedRequest, rendered: Rendered): Reason | undefined {
    // `ng serve` renders shared routes with the credentials that a build hides from them, and routes of the browser.
    const hasCredentials = exchange.header('cookie') ?? exchange.header('authorization');
    if (page.rule?.ssr === false || (page.isShared && hasCredentials !== undefined))
      return undefined;
    const hasAuthorization = exchange.header('authorization') !== undefined;
    const verdict = judgeRender(rendered, page.rule, Date.now(), {
      hasAuthorization,
      asksNotToStore: asksNotToStore(exchange, page.path),
    });
    // A build prerenders pages that `ng serve` renders: they are files there.
    if (typeof verdict !== 'string' || isPrerendered(rendered)) return undefined;
    if (rendered.response.status === 200 && !NOT_REPORTED.has(verdict)) {
      this.#advise(page.routePath, verdict);
    }
    return verdict;
  }

  #advise(path: string, reason: Reason): void {
    const route = toRouteName(path);
    if (this.#reported.has(route) || this.#reported.size >= MOST_ROUTES) return;
    this.#reported.add(route);
    const advice = reason === 'no-freshness' ? `. ${this.#ruleFor(path, route)}` : '';
    const message = `${route} would not be cached in production: ${describeNotStored(reason)}${advice}`;
    this.#report(new SsrError('NG_SSR_PAGE_NOT_CACHED', message));
  }

  #ruleFor(path: string, route: string): string {
    const [applied] = this.#rules.matching(path);
    const rule =
      applied === undefined
        ? `routeRules: { ${JSON.stringify(route)}: { sMaxAge: 60 } }`
        : `sMaxAge to routeRules[${JSON.stringify(applied.pattern)}]`;
    return `If all visitors may get the same page, add ${rule}`;
  }
}

function isPrerendered({ body }: Rendered): boolean {
  return new TextDecoder().decode(body).includes(PRERENDERED_MARKER);
}
