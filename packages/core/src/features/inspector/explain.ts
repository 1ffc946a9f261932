import type { Exchange } from '../../exchange.ts';
import { normalisePath, pathOf } from '../../http/target.ts';
import { withoutSecrets } from '../../without-secrets.ts';
import type { Look } from '../../pages/pages.ts';
import type { ParsedRequest } from '../../pages/parsed-request.ts';
import { toExplainedExchange } from './explain/explained-exchange.ts';
import type { ExplainedParts, LastRenders } from './explain/explained-parts.ts';
import { describeNotStored } from '../../pages/policy/not-stored-reasons.ts';
import { representationsOf } from './explain/representations-of.ts';
import { reportRules } from './explain/rule-report.ts';
import { forecastStoring } from './explain/storing-forecast.ts';
import { toVerdict, type Verdict } from './explain/verdict.ts';
import { inspectPage } from './pages/list-pages.ts';
import type { Explanation } from './protocol.ts';
import { shownKey } from './shown-key.ts';

/** Explains what a server would do with a request, with the parts that its request path is made of. */
export class Explainer {
  readonly #parts: ExplainedParts;
  readonly #lastRenders: LastRenders;

  constructor(parts: ExplainedParts, lastRenders: LastRenders) {
    this.#parts = parts;
    this.#lastRenders = lastRenders;
  }

  /**
   * Renders nothing, and changes nothing: no page counts as used, and none is refreshed. A function `allowedHosts` or
   * `render` of a rule is called, as for the request itself. The key has digests of the cookies and headers that are
   * asked with, to be compared with the keys of stored pages.
   *
   * @param request - An `ExplainRequest`, not checked yet.
   * @param asked - The inspector's own request.
   * @throws SsrError `NG_SSR_INSPECTOR_INVALID`
   */
  async explain(request: unknown, asked: Exchange): Promise<Explanation> {
    const exchange = toExplainedExchange(request, asked);
    const { isProbe, parse } = this.#parts.server;
    const parsed = parse(exchange);
    const url = withoutSecrets((request as { readonly url: string }).url);
    if (isProbe(parsed.targetBelowMount)) {
      const reasons = ['This is a probe, which reports the state of the server.'];
      return { ...NOTHING, url, answer: 'server', status: undefined, reasons };
    }
    await parsed.decide();
    const look = this.#look(parsed);
    const verdict = toVerdict(this.#parts, parsed, look);
    const ofPath = this.#ofPath(parsed, verdict, look);
    return { ...NOTHING, ...ofPath, ...toAnswer(url, withLastRender(verdict, ofPath)) };
  }

  /** What memory has: nothing for a request that can have no page. */
  #look(parsed: ParsedRequest): Look | undefined {
    if (parsed.site.verdict !== 'allowed' || !parsed.isWellFormed) return undefined;
    return this.#parts.server.pages.look?.(parsed, this.#fallbacks(parsed));
  }

  #fallbacks({ page }: ParsedRequest): Explanation['fallbacks'] {
    return page.rule?.fallbacks ?? this.#parts.render.fallbacks;
  }

  #ofPath(
    parsed: ParsedRequest,
    { answer }: Verdict,
    look: Look | undefined,
  ): Partial<Explanation> {
    const { rules, server } = this.#parts;
    if (!parsed.isWellFormed || parsed.site.verdict !== 'allowed') return {};
    const locale = server.localeOf(parsed);
    // A file has neither rule nor key.
    if (answer === 'held' || answer === 'server') return { locale };
    const path = normalisePath(pathOf(parsed.target));
    const { held } = look ?? {};
    const vary = parsed.page.rule?.vary;
    const mayRender = answer === 'render' || answer === 'stored';
    return {
      locale,
      key: look && shownKey(look.key, vary),
      ...reportRules(parsed, rules.matching(path)),
      storing: mayRender ? forecastStoring(parsed, look !== undefined) : undefined,
      fallbacks: mayRender ? this.#fallbacks(parsed) : [],
      page: held && inspectPage(look!.key, held, vary, performance.now()),
      representations: held === undefined ? [] : representationsOf(held),
      notStored: this.#lastRenders.notStored(path),
      failure: this.#lastRenders.failure(path),
      calls: this.#lastRenders.calls(path),
    };
  }
}

/** An explanation without what most kinds of answers lack. */
const NOTHING = {
  key: undefined,
  rule: undefined,
  otherRules: [],
  locale: undefined,
  storing: undefined,
  fallbacks: [],
  page: undefined,
  notStored: undefined,
  failure: undefined,
  representations: [],
  calls: [],
} as const;

/** What is known of the last render comes second: it is why this request renders again. */
function withLastRender(verdict: Verdict, { failure, notStored }: Partial<Explanation>): Verdict {
  if (verdict.answer !== 'render' && verdict.answer !== 'stored') return verdict;
  const added: string[] = [];
  if (failure !== undefined) {
    added.push(`The last render of this path failed: ${failure.code}: ${failure.message}`);
  }
  if (notStored !== undefined && verdict.answer === 'render') {
    const reason = describeNotStored(notStored.reason);
    added.push(`The last render of this path was not cached: ${reason}.`);
  }
  const [first, ...others] = verdict.reasons;
  return { ...verdict, reasons: [first!, ...added, ...others] };
}

function toAnswer(
  url: string,
  verdict: Verdict,
): Pick<Explanation, 'url' | 'answer' | 'status' | 'reasons'> & Partial<Explanation> {
  const { answer, status, reasons, resource, sizeBytes } = verdict;
  const own = { url, answer, status, reasons };
  if (resource !== undefined) return { ...own, representations: representationsOf(resource) };
  if (sizeBytes === undefined) return own;
  const representations = [{ encoding: 'identity', bytes: sizeBytes, etag: undefined }];
  return { ...own, representations };
}
