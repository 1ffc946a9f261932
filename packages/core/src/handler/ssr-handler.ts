import type { Routes } from '../path/routes.ts';
import type { SsrError, SsrErrorCode } from '../errors.ts';
import { noteStart, watchStart as watchFailures } from '../failed-start.ts';
import type { Answer, Exchange, StreamedAnswer } from '../exchange.ts';
import type { RouteAnswer } from '../pages/policy/invalidation.ts';
import type { StoredPages } from '../pages/stored-pages.ts';
import { isPromise } from '../platform/is-promise.ts';
import { Probes } from '../probes/probes.ts';
import { ownBundle } from '../render/locale-bundle.ts';
import { sayAddonUnavailable } from './addon-notice.ts';
import { composeOnNode } from './compose-on-node.ts';
import { watchStart } from './describe-server.ts';
import type { EndpointRoute } from '../path/endpoint.ts';
import type { OwnExtension } from '../path/own-feature.ts';
import { Lifecycle } from './lifecycle.ts';
import type { SsrOptions } from './options.ts';
import type { RequestPath } from '../path/request-path.ts';
import type { HandlerThreads, ServerLifecycle } from '../threads/server-threads.ts';
import { startFeatures } from './start-features.ts';
import { openThreads } from './open-threads.ts';
import { closeAll } from './close-all.ts';
import type { RequestParser } from '../pages/parsed-request.ts';

/**
 * The request path, independent of any framework. An adapter calls `answer`, runs the framework's routes
 * if that returns undefined, and then calls `largeFile` and `render`. It passes the same exchange to
 * all, unless user code may have changed the request in between.
 */
export class SsrHandler {
  /** Purges stored pages and calls, and inspects pages. No page is stored with `cache: false` and under `ng serve`. */
  readonly cache: StoredPages;
  /** The folder the built files were read from; undefined if there is none (`ng serve`). */
  readonly browserFolder: string | undefined;
  /** Where endpoints are that take more than GET, for frameworks that look for a route before they ask the server. */
  readonly endpointRoutes: readonly EndpointRoute[];
  readonly #parser: RequestParser;
  readonly #path: RequestPath;
  /** Its server threads, on both sides. Undefined without the feature. */
  readonly threads: HandlerThreads | undefined;
  readonly #lifecycle: ServerLifecycle;
  #closed: Promise<void> | undefined;
  readonly #probes: Probes | undefined;
  /** Those that call the framework's routes. */
  readonly #callers: readonly OwnExtension[];
  #hasRoutes: boolean;
  readonly #report: (error: SsrError) => void;

  /**
   * Checks the options and indexes the built files synchronously, so that a handler can answer at once.
   *
   * @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_BROWSER_FOLDER_MISSING`, `NG_SSR_INDEX_FAILED`
   */
  constructor(options: SsrOptions) {
    const start = watchStart(options);
    const hooks = {
      begin: () => {
        noteStart();
        void this.ready();
      },
      isProbe: (target: string) => this.#probes?.isAsked(target) === true,
    };
    const { isFilling = false, options: watched = options, rendersAll = false } = start ?? {};
    const parts = composeOnNode(watched, rendersAll, hooks, isFilling);
    const { core, server } = parts;
    const inThread = [() => void startFeatures(parts), () => closeAll(parts)] as const;
    const lifecycle = core.main?.toLifecycle(...inThread) ?? new Lifecycle(parts);
    const { files, probes } = parts.options;
    this.endpointRoutes = server.path.endpoints.flatMap(({ route }) => route ?? []);
    this.cache = server.pages;
    this.browserFolder = files.folder;
    this.#parser = parts.parser;
    this.#path = parts.requestPath;
    this.#lifecycle = lifecycle;
    this.#report = core.report;
    this.#callers = [...server.extensions.values()].filter((each) => each.useRoutes !== undefined);
    this.#hasRoutes = this.#callers.length === 0;
    this.threads = openThreads(parts, lifecycle, (exchange, context) =>
      this.#path.answerThread(this.#parser.parse(exchange), context),
    );
    this.#probes = probes && new Probes(probes, () => lifecycle.probeState(), core.report);
    // The server of another bundle decides about the process.
    if (ownBundle !== undefined) noteStart();
    // Under ng serve, which has no folder, the process is that of the Angular CLI.
    else if (files.folder !== undefined) watchFailures();
    start?.publish(parts, { close: () => this.close(), hold: () => void lifecycle.hold() });
  }

  /** Whether {@link drain} has been called. */
  get isDraining(): boolean {
    return this.#lifecycle.isDraining;
  }

  /**
   * Sets what calls with `inProcess` reach: the framework's routes and middleware, and this handler after them. Has no
   * effect without the feature `calls`.
   */
  useRoutes(routes: Routes): void {
    this.#hasRoutes = true;
    for (const each of this.#callers) each.useRoutes!(routes);
  }

  /** Whether calls with `inProcess` reach routes: false as long as {@link useRoutes} has not been called. */
  get hasRoutes(): boolean {
    return this.#hasRoutes;
  }

  /**
   * Answers a probe. `answer` does so too; this is for servers that run middleware before `answer`,
   * because a probe must not depend on a session store, for example. Without probes it costs nothing.
   *
   * @param target - As received, with the query.
   * @returns undefined if the request is no probe; a promise, which never rejects, while a user's check
   * runs. `answer`, which is synchronous, leaves such probes to `render`.
   */
  probe(method: string, target: string): Answer | Promise<Answer> | undefined {
    return this.#probes?.answer(method, target);
  }

  /**
   * Answers synchronously with a held file, a stored page or a refusal.
   *
   * @returns undefined if none applies: the framework's routes are next.
   */
  answer(exchange: Exchange): Answer | undefined {
    const request = this.#parser.parse(exchange);
    const probe = this.#probes?.answer(request.method, request.targetBelowMount);
    if (probe !== undefined) return isPromise(probe) ? undefined : probe;
    return this.#path.answer(request);
  }

  /**
   * As {@link answer}, for adapters that may be unable to send what they get: nothing is published, logged or counted
   * before {@link sent} is called.
   *
   * @returns undefined for probes, too.
   */
  find(exchange: Exchange): Answer | undefined {
    const request = this.#parser.parse(exchange);
    if (this.#probes?.isAsked(request.targetBelowMount) === true) return undefined;
    return this.#path.find(request);
  }

  /** To be called once for an answer of {@link find} that is sent. */
  sent(exchange: Exchange, answer: Answer): void {
    this.#path.sent(this.#parser.parse(exchange), answer);
  }

  /**
   * Answers with a built file that is not held in memory. Called after the framework's routes.
   *
   * @returns undefined, synchronously, if there is no such file: `render` is next. The promise never
   * rejects; a file that was deleted since start is a 404.
   */
  largeFile(exchange: Exchange): Promise<Answer | StreamedAnswer> | undefined {
    return this.#path.answerWithFile(this.#parser.parse(exchange));
  }

  /**
   * Renders. The answer is complete: the body has been read to its end.
   *
   * @param requestContext - What components inject as `REQUEST_CONTEXT`.
   * @returns undefined if the engine returns null (not a path of the application). Never rejects.
   */
  async render(exchange: Exchange, requestContext?: unknown): Promise<Answer | undefined> {
    const request = this.#parser.parse(exchange);
    const probe = this.#probes?.answer(request.method, request.targetBelowMount);
    return probe ?? this.#path.answerWithRender(request, requestContext);
  }

  /**
   * As {@link render}, for adapters that can send an answer in pieces: the page may be one that a feature completes while
   * it is sent. With {@link render} all requests get pages as they are. Never rejects.
   */
  async complete(
    exchange: Exchange,
    requestContext?: unknown,
  ): Promise<Answer | StreamedAnswer | undefined> {
    try {
      const request = this.#parser.parse(exchange);
      const probe = this.#probes?.answer(request.method, request.targetBelowMount);
      return probe ?? (await this.#path.complete(request, requestContext));
    } catch (cause) {
      // Such as a header that no Request can have: middleware may have set it. Frameworks would show the error.
      return this.fail(exchange, cause);
    }
  }

  /**
   * To be called with the answer of a user's route or of middleware, preferably before it is sent: a
   * successful answer to an unsafe request invalidates the stored pages of its target (RFC 9111
   * section 4.4). Not needed for this handler's own refusals. Never throws.
   *
   * @param exchange - Of the request, with the target as received or as rewritten by middleware.
   */
  answered(exchange: Exchange, answer: RouteAnswer): void {
    this.#path.noteAnswer(() => this.#parser.parse(exchange), answer);
  }

  /**
   * Reports a failure, by default of a user's route or of middleware, and answers with a 500. Does not throw if the
   * request cannot be read.
   */
  fail(exchange: Exchange, cause: unknown, code?: SsrErrorCode): Answer {
    return this.#path.answerFailure(this.#parser, exchange, cause, code);
  }

  /** Reports an error that concerns no request, to `onError`. */
  report(error: SsrError): void {
    this.#report(error);
  }

  /** The 404 of a path that no file, page or route answers: the build's page, or a short text. */
  notFound(exchange: Exchange): Answer {
    return this.#path.answerNotFound(this.#parser.parse(exchange));
  }

  /**
   * Starts features, render threads and content encoding (off the main thread). `listen` and the first
   * request do so too.
   *
   * @returns resolves when a thread can render, every held resource has its encodings and, with
   * `blocksReady` of `withPrewarm()`, every page to be prewarmed is rendered.
   */
  ready(): Promise<void> {
    // After the line with the server's address, which `listen` prints when it has called this.
    if (this.browserFolder !== undefined) setImmediate(() => sayAddonUnavailable(this.#report));
    return this.#lifecycle.ready();
  }

  /** From now on the `ready` probe answers 503; all other requests are answered as before. */
  drain(): void {
    this.#lifecycle.drain();
  }

  /**
   * Stops background work, flushes the request log and calls `onClose`. Call it when the last request is
   * answered. Later calls return the same promise.
   *
   * @throws SsrError `NG_SSR_CLOSE_FAILED`, already reported.
   */
  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  /** With its threads. */
  async #close(): Promise<void> {
    const ends = await Promise.allSettled([this.#lifecycle.close(), this.threads?.close?.()]);
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }
}
