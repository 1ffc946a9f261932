import { refuse } from '../answers/refusal.ts';
import { asksAboutServer, SERVER_OPTIONS } from '../answers/server-options.ts';
import { SsrError } from '../errors.ts';
import type { Answer, FileAnswer } from '../exchange.ts';
import { answerFile } from '../files/answer-file.ts';
import type { PageRequest } from '../pages/pages.ts';
import { asksNotToStore } from '../pages/policy/may-store.ts';
import { invalidatedTargets, isUnsafe, type RouteAnswer } from '../pages/policy/invalidation.ts';
import type { Visit } from '../pages/visit.ts';
import { currentChain } from '../render/call-chain.ts';
import { Waiter } from '../render/demand.ts';
import type { CallsMade } from '../render/calls-made.ts';
import { withCalls, withTiming } from '../telemetry/server-timing.ts';
import { withinDeadline } from '../timers.ts';
import { leave, publish, toSent } from './leave.ts';
import { isOverload, publishShed } from './overload-ladder.ts';
import type { PathParts } from './path-parts.ts';

/** The request path, top to bottom: held files and stored pages, large files, endpoints, substitutes, renders. */
export class RequestPath {
  readonly #parts: PathParts;

  constructor(parts: PathParts) {
    this.#parts = parts;
  }

  /** The synchronous half: a held file, a stored page or a refusal; undefined if none applies. */
  answer(visit: Visit): Answer | undefined {
    const answer = this.find(visit);
    if (answer !== undefined) this.sent(visit, answer);
    return answer;
  }

  /** As {@link answer}, without a trace of it: to be followed by {@link sent} if the answer is sent. */
  find(visit: Visit): Answer | undefined {
    const answer = this.#find(visit);
    return answer && toSent(visit, this.#finish(answer, visit));
  }

  sent(visit: Visit, answer: Answer): void {
    publish(visit, answer, 0, this.#parts);
  }

  #find(visit: Visit): Answer | undefined {
    const { failures, files, pages, select } = this.#parts;
    const { site } = visit;
    if (site.verdict === 'malformed') return failures.refuseSite(visit);
    const resource = files.find(visit);
    if (resource === undefined && !visit.isWellFormed) {
      if (!asksAboutServer(visit)) return failures.refuse('NG_SSR_TARGET_MALFORMED', visit);
      // The answer is the same for all hosts: it does not wait for a verdict.
      return failures.refuseSite(visit) ?? SERVER_OPTIONS;
    }
    if (!visit.isRead) return undefined;
    if (resource === undefined) return site.verdict === 'allowed' ? pages.find(visit) : undefined;
    if (site.verdict === 'asked') return undefined;
    const refused = failures.refuseSite(visit);
    if (refused !== undefined) return refused;
    if (files.isNotFoundPage(resource)) return failures.notFound(visit);
    return select(resource, visit.exchange);
  }

  /** Answers with a built file that is not held; undefined (synchronous) if there is none. Never rejects. */
  answerWithFile(visit: Visit): Promise<Answer | FileAnswer> | undefined {
    const { failures, files, missingFiles } = this.#parts;
    const file = files.findLarge(visit);
    if (file === undefined || !visit.isRead) return undefined;
    const { verdict } = visit.site;
    if (verdict !== 'allowed' && verdict !== 'asked') return undefined;
    const sinceMs = performance.now();
    const send = (): Promise<Answer | FileAnswer | undefined> =>
      answerFile(file, visit.exchange, failures.report);
    const answered =
      verdict === 'allowed'
        ? send()
        : visit.decide().then(() => failures.refuseSite(visit) ?? send());
    // A file of another build that has changed or is gone may still be in a third build.
    return answered
      .then((answer) => answer ?? missingFiles.answer(visit, visit, false))
      .then((answer) => answer ?? failures.notFound(visit))
      .catch((error: SsrError) => failures.answer(visit, error))
      .then((answer) => this.#leave(visit, answer, performance.now() - sinceMs));
  }

  /**
   * The asynchronous half: renders, or answers with the page of another request's render.
   *
   * @returns undefined if the engine returns null (not a path of the application). Never rejects.
   */
  answerWithRender(visit: Visit, requestContext: unknown): Promise<Answer | undefined> {
    return this.#renderAndLeave(visit, requestContext, false);
  }

  /** Both halves, for a page to be prewarmed. Rejects if there is no slot for its render. */
  async renderAhead(visit: Visit): Promise<Answer | undefined> {
    return this.#find(visit) ?? this.#renderAndLeave(visit, undefined, true);
  }

  /**
   * The asynchronous half for a server thread, which has the request's connection and log: to be called on the
   * main thread.
   */
  answerThread(visit: Visit, requestContext: unknown): Promise<Answer | undefined> {
    return this.#render(visit, requestContext, false);
  }

  async #renderAndLeave(
    visit: Visit,
    requestContext: unknown,
    isBackground: boolean,
  ): Promise<Answer | undefined> {
    const { options, pages } = this.#parts;
    const sinceMs = performance.now();
    const answer = await this.#render(visit, requestContext, isBackground);
    if (answer === undefined) return undefined;
    const durationMs = performance.now() - sinceMs;
    const timed = options.serverTiming ? withTiming(answer, durationMs) : answer;
    // A prewarmed page is no client's request, so it is not logged.
    const parts = isBackground ? { pages, log: undefined } : this.#parts;
    return this.#leave(visit, timed, durationMs, parts);
  }

  async #render(
    visit: Visit,
    requestContext: unknown,
    isBackground: boolean,
  ): Promise<Answer | undefined> {
    const { endpoints, failures, substitutes } = this.#parts;
    const endpoint = endpoints.find((each) => each.matches(visit));
    if (!visit.isRead && endpoint === undefined)
      return failures.refuse('NG_SSR_METHOD_NOT_ALLOWED', visit);
    if (visit.site.verdict === 'asked') {
      await visit.decide();
      // What `answer` could not say before.
      const found = this.#find(visit);
      if (found !== undefined) return found;
    }
    if (visit.site.verdict === 'malformed') return failures.refuseSite(visit);
    if (!visit.isWellFormed) return failures.refuse('NG_SSR_TARGET_MALFORMED', visit);
    const refused = failures.refuseSite(visit);
    if (refused !== undefined) return refused;
    try {
      if (endpoint !== undefined) {
        visit.hasOwnQuery = true;
        return await endpoint.answer(visit);
      }
      // HEAD is rendered as GET: its fields depend on the content's nonce and coding.
      const asked = visit.method === 'HEAD' ? visit.asGet() : visit;
      for (const substitute of substitutes) {
        const given = substitute.answer(asked, visit, isBackground);
        const answer = given instanceof Promise ? await given : given;
        if (answer !== undefined) return answer;
      }
      return await this.#renderPage(visit, asked, requestContext, isBackground);
    } catch (error) {
      if (isBackground && isWithoutSlot(error)) throw error;
      return failures.answer(visit, error);
    }
  }

  async #renderPage(
    visit: Visit,
    asked: Visit,
    requestContext: unknown,
    isBackground: boolean,
  ): Promise<Answer | undefined> {
    const { failures, onMiss, options, pages } = this.#parts;
    const { exchange } = visit;
    const { page, name } = asked;
    const ownMs = page.rule?.deadlineMs ?? options.deadlineMs;
    const deadlineMs = options.hasDeadlines ? ownMs : Number.POSITIVE_INFINITY;
    const waiter = new Waiter(performance.now() + deadlineMs);
    const ignore = exchange.onDisconnect?.(() => waiter.leave());
    let made: CallsMade | undefined;
    const request: PageRequest = {
      visit: asked,
      page,
      name,
      earlierStatus: exchange.status,
      asksNotToStore: asksNotToStore(exchange),
      requestContext,
      waiter,
      fallbacks: page.rule?.fallbacks ?? options.fallbacks,
      isBackground,
      chain: currentChain()?.links,
      onMiss: onMiss && (() => onMiss(visit)),
      onCalls: options.serverTiming ? (calls) => (made = calls) : undefined,
    };
    try {
      const answer = await withinDeadline(
        pages.answer(request),
        deadlineMs + options.graceMs,
        name,
        (error) => {
          if (!(error instanceof SsrError)) return;
          // No request is left to answer with this failure.
          if (error.code !== 'NG_SSR_OVERLOADED') failures.report(error);
        },
      );
      return answer && made ? withCalls(answer, made.count, made.durationMs) : answer;
    } catch (error) {
      if (!isOverload(error)) throw error;
      return this.#fallBack(error, visit, request);
    } finally {
      ignore?.();
      waiter.leave();
    }
  }

  /** As {@link leave}, with the fields that every answer gets. */
  #leave<Sent extends Answer | FileAnswer>(
    visit: Visit,
    answer: Sent,
    durationMs: number,
    parts: Pick<PathParts, 'pages' | 'log'> = this.#parts,
  ): Sent {
    return leave(visit, this.#finish(answer, visit), durationMs, parts);
  }

  #finish<Sent extends Answer | FileAnswer>(answer: Sent, visit: Visit): Sent {
    const { finish } = this.#parts;
    return finish === undefined ? answer : finish(answer, visit);
  }

  /** Answers a failure outside rendering: of a route, middleware or an adapter. */
  answerFailure(visit: Visit, error: SsrError): Answer {
    return this.#leave(visit, this.#parts.failures.answer(visit, error), 0);
  }

  answerNotFound(visit: Visit): Answer {
    return this.#leave(visit, this.#parts.failures.notFound(visit), 0);
  }

  /** As `SsrHandler.answered`. Never throws: an error is reported. */
  noteAnswer(read: () => Visit, answer: RouteAnswer): void {
    try {
      this.#invalidate(read(), answer);
    } catch (cause) {
      const message = 'A request or its response could not be read to invalidate cached pages';
      this.#parts.failures.report(new SsrError('NG_SSR_HANDLER_FAILED', message, { cause }));
    }
  }

  #invalidate(visit: Visit, answer: RouteAnswer): void {
    const { endpoints, options, pages } = this.#parts;
    if (!options.invalidates || !isUnsafe(visit.method)) return;
    if (visit.site.verdict === 'asked') {
      return void visit.decide().then(() => this.noteAnswer(() => visit, answer));
    }
    if (!visit.isWellFormed || visit.site.verdict !== 'allowed') return;
    if (endpoints.some((each) => each.matches(visit))) return;
    const targets = invalidatedTargets(visit.origin, visit.target, answer);
    for (const target of targets) pages.invalidate(target);
  }

  /** Answers a request that gets no page in time. */
  #fallBack(
    error: SsrError,
    visit: Visit,
    { waiter, fallbacks, isBackground }: PageRequest,
  ): Answer {
    const { ladder, pages } = this.#parts;
    // The client has disconnected: nothing reads this answer.
    if (waiter.hasLeft) return refuse('NG_SSR_OVERLOADED', visit.method);
    if (isBackground && isWithoutSlot(error)) throw error;
    const stale = fallbacks.includes('stale') ? pages.findStale(visit) : undefined;
    if (stale === undefined) return ladder.answer(error, visit, fallbacks.includes('csr'));
    publishShed(visit.exchange, 'stale', error);
    return stale;
  }
}

/** Whether a render has got no slot: the server's own is tried again later. */
function isWithoutSlot(error: unknown): boolean {
  return error instanceof SsrError && error.code === 'NG_SSR_OVERLOADED';
}
