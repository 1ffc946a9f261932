import type { PageAnswers } from '../answers/page-answers.ts';
import type { Answer } from '../exchange.ts';
import type { ProxyHeaderPredicate } from '../host/proxy-headers.ts';
import { noteUnstored } from '../render/call-chain.ts';
import { toDemand } from '../render/demand.ts';
import type { Scheduler } from '../render/scheduler.ts';
import { toRequest } from '../render/to-request.ts';
import type { PageRequest, Pages } from './pages.ts';
import { checkPurge } from './check-purge.ts';
import type { PurgeObserver } from './purges.ts';
import { nothingStored, type StoredPages } from './stored-pages.ts';
import type { PageTraits } from './traits/page-traits.ts';
import type { Purge } from '../purge.ts';

/** The pages of a server that stores none (`cache: false`, `ng serve`): each request renders its own. */
export class UnstoredPages implements Pages {
  readonly #scheduler: Scheduler;
  readonly #answers: PageAnswers;
  readonly #traits: PageTraits;
  readonly #isTrusted: ProxyHeaderPredicate;
  #observer: PurgeObserver | undefined;

  constructor(
    scheduler: Scheduler,
    answers: PageAnswers,
    traits: PageTraits,
    isTrusted: ProxyHeaderPredicate,
  ) {
    this.#scheduler = scheduler;
    this.#answers = answers;
    this.#traits = traits;
    this.#isTrusted = isTrusted;
  }

  readonly inspect: StoredPages['inspect'] = nothingStored.inspect;

  async purge(purge: Purge): Promise<void> {
    checkPurge(purge);
    this.#observer?.purged(purge);
  }

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
    return this.#answers.of(rendered, exchange, 'fwd=uri-miss', waiter);
  }

  find(): undefined {}

  findStale(): undefined {}

  invalidate(): void {}

  async close(): Promise<void> {}
}
