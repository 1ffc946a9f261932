import type { PageAnswers } from '../answers/page-answers.ts';
import type { SsrError } from '../errors.ts';
import type { Answer } from '../exchange.ts';
import type { ProxyHeaderPredicate } from '../host/proxy-headers.ts';
import { noteUnstored } from '../render/call-chain.ts';
import { toDemand } from '../render/demand.ts';
import type { Scheduler } from '../render/scheduler.ts';
import { toRequest } from '../render/to-request.ts';
import { CachingAdvice } from './caching-advice.ts';
import type { PageRequest, Pages } from './pages.ts';
import type { RouteRules } from './policy/route-rules.ts';
import { checkPurge } from './check-purge.ts';
import type { CountPurged, PurgePages } from './purge-reach.ts';
import type { PurgeObserver } from './purges.ts';
import { nothingStored, type StoredPages } from './stored-pages.ts';
import type { PageTraits } from './traits/page-traits.ts';
import type { Purge } from '../purge.ts';

/** The parts of the server that {@link UnstoredPages} need. */
export interface UnstoredPagesParts {
  readonly scheduler: Scheduler;
  readonly answers: PageAnswers;
  readonly traits: PageTraits;
  readonly isTrusted: ProxyHeaderPredicate;
  readonly rules: RouteRules;
  readonly report: (error: SsrError) => void;
}

/** The pages of a server that stores none (`cache: false`, `ng serve`): each request renders its own. */
export class UnstoredPages implements Pages {
  readonly #scheduler: Scheduler;
  readonly #answers: PageAnswers;
  readonly #traits: PageTraits;
  readonly #isTrusted: ProxyHeaderPredicate;
  readonly #advice: CachingAdvice | undefined;
  #observer: PurgeObserver | undefined;

  /** @param isAdvised - Whether to report which pages a build would not cache. */
  constructor(
    { scheduler, answers, traits, isTrusted, rules, report }: UnstoredPagesParts,
    isAdvised: boolean,
  ) {
    this.#advice = isAdvised ? new CachingAdvice(rules, report) : undefined;
    this.#scheduler = scheduler;
    this.#answers = answers;
    this.#traits = traits;
    this.#isTrusted = isTrusted;
  }

  readonly inspect: StoredPages['inspect'] = nothingStored.inspect;

  readonly refresh: StoredPages['refresh'] = nothingStored.refresh;

  readonly purge: PurgePages = (async (purge: Purge, options?: CountPurged) => {
    checkPurge(purge);
    this.#observer?.purged(purge);
    return options && { here: 0, elsewhere: [] };
  }) as PurgePages;

  observePurges(observer: PurgeObserver): undefined {
    this.#observer = observer;
  }

  async answer({
    parsed,
    name,
    requestContext,
    waiter,
    fallbacks,
    isBackground,
    chain,
    onMiss,
    onCalls,
  }: PageRequest): Promise<Answer | undefined> {
    onMiss?.();
    const { exchange, origin, target } = parsed;
    const request = toRequest(exchange, origin + target, this.#isTrusted);
    const job = { request, requestContext, isShared: false, name, chain, onCalls };
    const terms = { mayQueue: fallbacks.includes('queue'), demand: toDemand(waiter, isBackground) };
    const rendered = await this.#scheduler.render(job, terms);
    if (rendered === undefined) return undefined;
    noteUnstored(rendered.calls);
    this.#traits.check(rendered, name);
    const reason = this.#advice?.reasonFor(parsed, rendered);
    const status = reason === undefined ? 'fwd=uri-miss' : `fwd=uri-miss; detail=${reason}`;
    return this.#answers.of(rendered, exchange, status, waiter);
  }

  find(): undefined {}

  findStale(): undefined {}

  invalidate(): void {}

  async close(): Promise<void> {}
}
