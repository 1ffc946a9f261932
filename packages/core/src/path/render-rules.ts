import { isbot } from 'isbot';
import { select } from '../answers/select.ts';
import { SsrError } from '../errors.ts';
import type { Answer } from '../exchange.ts';
import type { RequestFiles } from './request-files.ts';
import type { ProxyHeaderPredicate } from '../host/proxy-headers.ts';
import { valueOf, withHeader } from '../http/header-list.ts';
import type { RouteRuleOptions } from '../pages/options/cache-options.ts';
import type { ParsedRequest } from '../pages/parsed-request.ts';
import { isPromise } from '../platform/is-promise.ts';
import { toRequest } from '../render/to-request.ts';
import type { Said, Substitute } from './substitute.ts';

/** What {@link RenderRules} is made of. */
export interface RenderRulesParts {
  readonly files: RequestFiles;
  readonly isTrusted: ProxyHeaderPredicate;
  readonly onError: (error: SsrError) => void;
}

/** `ssr` of route rules: which requests may cause a render, and the CSR page for the others. */
export class RenderRules implements Substitute {
  readonly #parts: RenderRulesParts;
  /** Functions whose failures are reported: each of their requests may fail. */
  readonly #reported = new WeakSet<object>();

  constructor(parts: RenderRulesParts) {
    this.#parts = parts;
  }

  /**
   * The CSR page for a request that may cause no render. A render that the server asks for itself, as in prewarming, is
   * meant.
   *
   * @returns undefined for a request that may, and where the build has no CSR page.
   */
  answer(
    { page: { rule } }: ParsedRequest,
    request: ParsedRequest,
    isBackground: boolean,
  ): Answer | undefined {
    const ssr = rule?.ssr;
    if (ssr === undefined) return undefined;
    if (ssr !== false && (isBackground || this.#mayRender(request, ssr))) return undefined;
    const page = this.#parts.files.csrPage(request);
    if (page === undefined) return undefined;
    const answer = select(page, request.exchange);
    const headers = withHeader(answer.headers, 'Cache-Status', 'ng-ssr; hit; detail=csr');
    return { ...answer, headers: ssr === false ? headers : forOneClient(headers) };
  }

  says(request: ParsedRequest): Said | undefined {
    const answer = this.answer(request, request, false);
    if (answer === undefined) return undefined;
    const why = WHY[String(request.page.rule?.ssr)] ?? 'has a function ssr, which returned false';
    const reasons = [
      `The route rule ${why}: the server sends the CSR page, and the browser renders.`,
    ];
    return { answer: 'constant', status: answer.status, reasons };
  }

  #mayRender(
    request: ParsedRequest,
    render: Exclude<RouteRuleOptions['ssr'], false | undefined>,
  ): boolean {
    if (render === 'bots') return isbot(request.exchange.header('user-agent'));
    const { isTrusted } = this.#parts;
    try {
      const mayRender: unknown = render(
        toRequest(request.exchange, request.origin + request.target, isTrusted),
      );
      if (typeof mayRender === 'boolean') return mayRender;
      const type = isPromise(mayRender) ? 'a promise' : `a value of type ${typeof mayRender}`;
      if (isPromise(mayRender)) mayRender.then(undefined, () => undefined);
      this.#report(render, `returned ${type}; allowed: true and false`, undefined);
    } catch (cause) {
      this.#report(render, 'threw', cause);
    }
    return true;
  }

  #report(render: object, what: string, cause: unknown): void {
    if (this.#reported.has(render)) return;
    this.#reported.add(render);
    const message = `a function "ssr" of routeRules ${what}. Pages are rendered when it fails. This is reported once`;
    this.#parts.onError(new SsrError('NG_SSR_RENDER_RULE_FAILED', message, { cause }));
  }
}

/**
 * A shared cache does not know who may cause a render: in place of the page it must not store this one. A page with a
 * nonce is not stored at all.
 */
function forOneClient(headers: string[]): string[] {
  const isStorable = valueOf(headers, 'cache-control')?.includes('no-store') !== true;
  return isStorable ? withHeader(headers, 'Cache-Control', 'private, no-cache') : headers;
}

/** By the value of `ssr`. */
const WHY: Readonly<Record<string, string>> = {
  false: 'has ssr: false',
  bots: "has ssr: 'bots', and the User-Agent is not a crawler",
};

/** What is wrong where rules ask for a CSR page that the build does not have; undefined if nothing is. */
export function noticeOfRenderRules(
  rules: Readonly<Record<string, RouteRuleOptions>>,
  files: RequestFiles,
): SsrError | undefined {
  const patterns = Object.keys(rules).filter((pattern) => rules[pattern]?.ssr !== undefined);
  if (patterns.length === 0 || !files.hasNoCsrPage) return undefined;
  const message =
    `routeRules has "ssr" for ${patterns.join(', ')}, but the build has no index.csr.html, or it is too large ` +
    'for memory (files.maxFileBytes): these pages are rendered for all requests';
  return new SsrError('NG_SSR_CSR_PAGE_MISSING', message);
}
