import { refuse } from '../answers/refusal.ts';
import { select } from '../answers/select.ts';
import { asksAboutServer, SERVER_OPTIONS } from '../answers/server-options.ts';
import { SsrError, type SsrErrorCode } from '../errors.ts';
import type { Answer, Exchange, StreamedAnswer } from '../exchange.ts';
import { answerFile } from '../files/answer-file.ts';
import type { PageRequest } from '../pages/pages.ts';
import { asksNotToStore } from '../pages/policy/may-store.ts';
import type { RouteAnswer } from '../pages/policy/invalidation.ts';
import type { ParsedRequest, RequestParser } from '../pages/parsed-request.ts';
import { isPromise } from '../platform/is-promise.ts';
import { currentChain } from '../render/call-chain.ts';
import { Waiter } from '../render/demand.ts';
import type { CallsMade } from '../render/calls-made.ts';
import { withinDeadline } from '../timers.ts';
import { finish, publish, toSent } from './finish.ts';
import { noteAnswer } from './note-answer.ts';
import { isOverload, isWithoutSlot, publishShed } from './overload-fallbacks.ts';
import type { PathParts } from './path-parts.ts';
import { waitFor } from './wait-for.ts';

const FOR_READERS = 'Pages take GET and HEAD. For other methods, add a route before the pages.';

/** The request path, top to bottom: held files and stored pages, large files, endpoints, substitutes, renders. */
export class RequestPath {
  readonly #parts: PathParts;

  constructor(parts: PathParts) {
    this.#parts = parts;
  }

  /** The synchronous half: a held file, a stored page or a refusal; undefined if none applies. */
  answer(request: ParsedRequest): Answer | undefined {
    const answer = this.find(request);
    if (answer !== undefined) publish(request, answer, 0, this.#parts);
    return answer;
  }

  /** As {@link answer}, without a trace of it: to be followed by {@link sent} if the answer is sent. */
  find(request: ParsedRequest): Answer | undefined {
    let answer: Answer | undefined;
    // No function is passed: a hit would allocate it.
    try {
      answer = this.#find(request);
    } catch (error) {
      answer = this.#parts.failures.answerTrait(request, error);
    }
    return answer && toSent(request, answer, this.#parts.features);
  }

  sent(request: ParsedRequest, answer: Answer): void {
    publish(request, answer, 0, this.#parts);
  }

  /** @param isAlone - Whether a page is wanted as it is, and not left to be completed. */
  #find(request: ParsedRequest, isAlone = false): Answer | undefined {
    const { failures, features, files, pages } = this.#parts;
    const completion = isAlone ? undefined : features.completion;
    const { site } = request;
    if (site.verdict === 'malformed') return failures.refuseSite(request);
    const resource = files.find(request);
    if (resource === undefined && !request.isWellFormed) {
      if (!asksAboutServer(request)) return failures.refuse('NG_SSR_TARGET_MALFORMED', request);
      // The answer is the same for all hosts: it does not wait for a verdict.
      return failures.refuseSite(request) ?? SERVER_OPTIONS;
    }
    if (!request.isRead) return undefined;
    if (resource === undefined) {
      if (site.verdict !== 'allowed' || completion?.pageOf(request) !== undefined) return undefined;
      return request.renewal === undefined ? pages.find(request) : undefined;
    }
    if (site.verdict === 'asked') return undefined;
    const refused = failures.refuseSite(request);
    if (refused !== undefined) return refused;
    if (files.isNotFoundPage(resource)) return failures.notFound(request);
    if (completion?.pageOf(request, resource) !== undefined) return undefined;
    return select(resource, request.exchange);
  }

  /** Answers with a built file that is not held; undefined (synchronous) if there is none. Never rejects. */
  answerWithFile(request: ParsedRequest): Promise<Answer | StreamedAnswer> | undefined {
    const { failures, files, missingFiles } = this.#parts;
    const file = files.findLarge(request);
    if (file === undefined || !request.isRead) return undefined;
    const { verdict } = request.site;
    if (verdict !== 'allowed' && verdict !== 'asked') return undefined;
    const sinceMs = performance.now();
    const send = (): Promise<Answer | StreamedAnswer | undefined> =>
      answerFile(file, request.exchange, failures.report);
    const answered =
      verdict === 'allowed'
        ? send()
        : request.decide().then(() => failures.refuseSite(request) ?? send());
    // A file of another build that has changed or is gone may still be in a third build.
    return answered
      .then((answer) => answer ?? missingFiles.answer(request, request, false))
      .then((answer) => answer ?? failures.notFound(request))
      .catch((error: SsrError) => failures.answer(request, error))
      .then((answer) => finish(request, answer, performance.now() - sinceMs, this.#parts));
  }

  /** Renders, or answers with the page of another request's render. Never rejects. @returns undefined as the engine's null. */
  async answerWithRender(
    request: ParsedRequest,
    requestContext: unknown,
    isBackground = false,
  ): Promise<Answer | undefined> {
    const sinceMs = performance.now();
    const answer = await this.#renderTimed(request, requestContext, isBackground);
    if (answer === undefined) return undefined;
    // A prewarmed page is no client's request, so it is not logged.
    const parts = isBackground ? { ...this.#parts, log: undefined } : this.#parts;
    return finish(request, answer, performance.now() - sinceMs, parts);
  }

  /** As {@link answerWithRender}, for adapters that can send a page which a feature completes while it is sent. */
  async complete(
    request: ParsedRequest,
    requestContext: unknown,
  ): Promise<Answer | StreamedAnswer | undefined> {
    const { completion } = this.#parts.features;
    if (completion !== undefined) await request.decide();
    const sinceMs = performance.now();
    const own = request.site.verdict === 'allowed' && completion?.answer?.(request, requestContext);
    if (own) return finish(request, await own, performance.now() - sinceMs, this.#parts);
    const exchange = completion?.pageOf(request);
    if (exchange === undefined) return this.answerWithRender(request, requestContext);
    const asked = request.as(exchange);
    const held = this.#find(asked, true);
    const render = () => this.#renderTimed(asked, requestContext, false);
    const [page, hasLeft] = held ? [held, false] : await waitFor(request.exchange, render);
    if (page === undefined) return undefined;
    Object.assign(request, { hit: asked.hit, hasOwnQuery: asked.hasOwnQuery });
    // Nothing reads the answer to a client that has left.
    const whole = hasLeft ? undefined : await completion!.complete(page, request, requestContext);
    return finish(request, whole ?? page, performance.now() - sinceMs, this.#parts);
  }

  /** For a page to be prewarmed or refreshed. Rejects if there is no slot for its render. */
  async renderAhead(request: ParsedRequest): Promise<Answer | undefined> {
    return this.#find(request, true) ?? this.answerWithRender(request, undefined, true);
  }

  /** The asynchronous half for a server thread, which has the connection and the log: called on the main thread. */
  answerThread(request: ParsedRequest, requestContext: unknown): Promise<Answer | undefined> {
    return this.#render(request, requestContext, false);
  }

  async #renderTimed(
    request: ParsedRequest,
    requestContext: unknown,
    isBackground: boolean,
  ): Promise<Answer | undefined> {
    const sinceMs = performance.now();
    const answer = await this.#render(request, requestContext, isBackground);
    const waitMs = performance.now() - sinceMs;
    return answer && (this.#parts.features.timePage?.(answer, { waitMs }) ?? answer);
  }

  async #render(
    request: ParsedRequest,
    requestContext: unknown,
    isBackground: boolean,
  ): Promise<Answer | undefined> {
    const { endpoints, failures, features, substitutes } = this.#parts;
    const endpoint = endpoints.find((each) => each.matches(request));
    if (!request.isRead && endpoint === undefined)
      return failures.refuse('NG_SSR_METHOD_NOT_ALLOWED', request, FOR_READERS);
    if (request.site.verdict === 'asked' || features.completion !== undefined) {
      await request.decide();
      // What `answer` could not say before, or has left to be completed.
      const found = this.#find(request, true);
      if (found !== undefined) return found;
    }
    if (request.site.verdict === 'malformed') return failures.refuseSite(request);
    if (!request.isWellFormed) return failures.refuse('NG_SSR_TARGET_MALFORMED', request);
    const refused = failures.refuseSite(request);
    if (refused !== undefined) return refused;
    try {
      if (endpoint !== undefined) {
        request.hasOwnQuery = true;
        return await endpoint.answer(request);
      }
      // HEAD is rendered as GET: its headers depend on the content's nonce and encoding.
      const asked = request.method === 'HEAD' ? request.asGet() : request;
      for (const substitute of substitutes) {
        const given = substitute.answer(asked, request, isBackground);
        const answer = isPromise(given) ? await given : given;
        if (answer !== undefined) return answer;
      }
      return await this.#renderPage(request, asked, requestContext, isBackground);
    } catch (error) {
      if (isBackground && isWithoutSlot(error)) throw error;
      return failures.answer(request, error);
    }
  }

  async #renderPage(
    request: ParsedRequest,
    asked: ParsedRequest,
    requestContext: unknown,
    isBackground: boolean,
  ): Promise<Answer | undefined> {
    const { failures, features, options, pages } = this.#parts;
    const { onMiss, timePage } = features;
    const { exchange } = request;
    const { page, name } = asked;
    const ownMs = page.rule?.maxWaitMs ?? options.maxWaitMs;
    const maxWaitMs = options.hasDeadlines ? ownMs : Number.POSITIVE_INFINITY;
    const waiter = new Waiter(performance.now() + maxWaitMs);
    const ignore = exchange.onDisconnect?.(() => waiter.leave());
    let made: CallsMade | undefined;
    const pageRequest: PageRequest = {
      parsed: asked,
      page,
      name,
      earlierStatus: exchange.status,
      asksNotToStore: asksNotToStore(exchange, page.path),
      requestContext,
      waiter,
      fallbacks: page.rule?.fallbacks ?? options.fallbacks,
      isBackground,
      chain: currentChain()?.links,
      onMiss: onMiss && (() => onMiss(request)),
      onCalls: timePage && ((calls) => (made = calls)),
    };
    try {
      const limitMs = maxWaitMs + options.graceMs;
      const reportLate = (error: unknown): void => failures.reportLate(error);
      const answer = await withinDeadline(pages.answer(pageRequest), limitMs, name, reportLate);
      return answer && made ? timePage!(answer, { calls: made }) : answer;
    } catch (error) {
      if (!isOverload(error)) throw error;
      return this.#fallBack(error, request, pageRequest);
    } finally {
      ignore?.();
      waiter.leave();
    }
  }

  /** As `SsrHandler.fail`. */
  answerFailure(
    parser: RequestParser,
    exchange: Exchange,
    cause: unknown,
    code: SsrErrorCode = 'NG_SSR_HANDLER_FAILED',
  ): Answer {
    const request = parser.ofFailed(exchange);
    const error = new SsrError(code, `${request.name} failed`, { cause });
    const { failures } = this.#parts;
    try {
      return finish(request, failures.answer(request, error), 0, this.#parts);
    } catch {
      // The error page or the log needs a header of the request, which cannot be read.
      const unreadable = parser.ofUnreadable();
      return finish(unreadable, failures.answer(unreadable, error), 0, this.#parts);
    }
  }

  answerNotFound(request: ParsedRequest): Answer {
    return finish(request, this.#parts.failures.notFound(request), 0, this.#parts);
  }

  /** As `SsrHandler.answered`. Never throws: an error is reported. */
  noteAnswer(read: () => ParsedRequest, answer: RouteAnswer): void {
    noteAnswer(read, answer, this.#parts);
  }

  /** Answers a request that gets no page in time. */
  #fallBack(
    error: SsrError,
    request: ParsedRequest,
    { waiter, fallbacks, isBackground }: PageRequest,
  ): Answer {
    const { overload, pages } = this.#parts;
    // The client has disconnected: nothing reads this answer.
    if (waiter.hasLeft) return refuse('NG_SSR_OVERLOADED', request.method);
    if (isBackground && isWithoutSlot(error)) throw error;
    const stale = fallbacks.includes('stale') ? pages.findStale(request) : undefined;
    if (stale === undefined) return overload.answer(error, request, fallbacks.includes('csr'));
    publishShed(request.exchange, 'stale', error);
    return stale;
  }
}
