import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { BuiltIndex } from './built/built-index.ts';
import { ConstantPages } from './built/constant-pages.ts';
import type { HeldResource } from './built/held-resource.ts';
import { type LargeFile, MOST_CODED_FILE_BYTES } from './built/large-file.ts';
import { type Codable, type CodingJob, makeCodings } from './built/make-codings.ts';
import { describeError } from './describe-error.ts';
import type { EngineSetup, RenderEngine } from './engine.ts';
import { ErrorPages } from './error-pages/error-pages.ts';
import { SsrError, type SsrErrorCode } from './errors.ts';
import type { Answer, Exchange, FileAnswer } from './exchange.ts';
import { toHostPredicate } from './host/allowed-hosts.ts';
import { type ProxyHeaderPredicate, toProxyHeaderPredicate } from './host/proxy-headers.ts';
import { describeRefusal, RefusedHosts } from './host/refused-hosts.ts';
import { type Site, SiteReader } from './host/site.ts';
import { valueOf, withField } from './http/header-list.ts';
import { select } from './http/select.ts';
import { type ResolvedOptions, resolveOptions, type SsrOptions } from './options.ts';
import { Probes, type ReadyState } from './probes/probes.ts';
import { refuse } from './refusal.ts';
import { toDemand, Waiter } from './render/demand.ts';
import { renderInProcess } from './render/in-process.ts';
import { isOverload, OverloadLadder, tellShed } from './render/overload-ladder.ts';
import { PageAnswers } from './render/page-answers.ts';
import { PageCoder } from './render/page-coder.ts';
import type { Renderer } from './render/renderer.ts';
import { Scheduler } from './render/scheduler.ts';
import { toRequest } from './render/to-request.ts';
import { withinDeadline } from './render/within-deadline.ts';
import { answerRenders } from './render/workers/answer-renders.ts';
import { WorkerPool } from './render/workers/worker-pool.ts';
import { renderThread } from './render/workers/worker-data.ts';
import { invalidatedTargets, isUnsafe, type RouteAnswer } from './stored/invalidation.ts';
import { NonceFiller } from './stored/nonce.ts';
import { PageCache, type Patience } from './stored/page-cache.ts';
import { prewarm } from './stored/prewarm.ts';
import { PurgeEndpoint } from './stored/purge-endpoint.ts';
import { RouteRules } from './stored/route-rules.ts';
import { nothingStored, type StoredPages } from './stored/stored-pages.ts';
import { tellRequest } from './telemetry/request-event.ts';
import { RequestLog } from './telemetry/request-log.ts';
import { asksAboutServer, SERVER_OPTIONS } from './server-options.ts';
import { withTiming } from './telemetry/server-timing.ts';
import { normalisePath } from './target/normalise-path.ts';
import { isWellFormed, pathOf } from './target/target.ts';

/** A page that could not be prewarmed for want of a place is tried again so soon, and later then. */
const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 30_000;

/** Handlers of this program so far: a render thread finds its own by its number. */
let handlers = 0;

/**
 * The request path, without any framework. An adapter asks `answer` first, gives its own routes
 * their turn when that has nothing, and then asks `largeFile` and `render`.
 */
export class SsrHandler {
  readonly #options: ResolvedOptions;
  readonly #isTrusted: ProxyHeaderPredicate;
  readonly #built: BuiltIndex;
  readonly #constantPages: ConstantPages;
  readonly #rules: RouteRules;
  readonly #scheduler: Scheduler;
  readonly #ladder: OverloadLadder;
  readonly #answers: PageAnswers;
  readonly #errorPages: ErrorPages;
  readonly #pages: PageCache | undefined;
  readonly #purgeEndpoint: PurgeEndpoint | undefined;
  readonly #nonce: NonceFiller | undefined;
  readonly #probes: Probes | undefined;
  readonly #log: RequestLog | undefined;
  readonly #reported = new WeakSet<SsrError>();
  readonly #refusedHosts = new RefusedHosts((error) => this.#report(error));
  /** What starts with the first request is nothing of that request's. */
  readonly #runAtStart = AsyncLocalStorage.snapshot();
  #sites: SiteReader | undefined;
  #ready: Promise<void> | undefined;
  #isEngineSetUp = false;
  #isReady: boolean;
  #isDraining = false;
  #isClosed = false;
  #closed: Promise<void> | undefined;

  /**
   * Checks the options and indexes the built files, synchronously: whoever has a handler can
   * answer from it.
   *
   * @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_BROWSER_FOLDER_MISSING`, `NG_SSR_INDEX_FAILED`
   */
  constructor(options: SsrOptions) {
    const handler = handlers++;
    this.#options = resolveOptions(options);
    if (renderThread !== undefined) {
      // What the main thread answers from is not for this one.
      this.#options = {
        ...this.#options,
        browserFolder: undefined,
        cache: false,
        requestLog: undefined,
        probes: undefined,
      };
      if (renderThread.handler === handler) answerRenders(options.engine, renderThread);
    }
    const onError = (error: SsrError): void => this.#report(error);
    const { browserFolder, trustProxyHeaders } = this.#options;
    this.#isTrusted = toProxyHeaderPredicate(trustProxyHeaders, 'trustProxyHeaders');
    const { cache, probes, render, requestLog, routeRules } = this.#options;
    this.#nonce = cache !== false && cache.nonce ? new NonceFiller(cache.nonce) : undefined;
    const nonce = this.#nonce?.document;
    const locales = browserFolder === undefined ? undefined : this.#locales();
    this.#built = new BuiltIndex(browserFolder, { ...this.#options, locales, nonce });
    this.#constantPages = new ConstantPages({
      codings: this.#options.codings,
      nonce,
      claim: (bytes) => this.#built.claim(bytes),
    });
    this.#tellUnheld(this.#built.unheldPages);
    this.#rules = new RouteRules(routeRules, this.#built.baseHref);
    this.#scheduler = new Scheduler(this.#toRenderer(handler), render);
    const errorPages = browserFolder === undefined ? false : this.#options.errorPages;
    this.#errorPages = new ErrorPages(errorPages, this.#built, this.#nonce);
    this.#ladder = new OverloadLadder(
      this.#built.find('/index.csr.html'),
      this.#errorPages,
      this.#nonce,
      onError,
    );
    const coder = new PageCoder((error) => this.#report(error));
    // Under `ng serve` client and server share a machine: coding saves no time.
    const encodings = browserFolder === undefined ? [] : render.encodings;
    this.#answers = new PageAnswers(encodings, coder, this.#nonce);
    const isPrewarmed = cache !== false && cache.prewarm?.blocksReady === true;
    this.#isReady = browserFolder === undefined || (render.workers === 0 && !isPrewarmed);
    this.#probes = probes && new Probes(probes, () => this.#readyState(), onError);
    this.#log = requestLog && new RequestLog(requestLog, onError);
    if (cache === false || browserFolder === undefined) return;
    this.#pages = new PageCache(
      this.#options,
      cache,
      this.#isTrusted,
      this.#rules,
      this.#scheduler,
      this.#nonce,
      coder,
      this.#answers,
    );
    this.#purgeEndpoint = cache.purgeEndpoint && new PurgeEndpoint(cache.purgeEndpoint, this.cache);
  }

  /** Stored pages: to purge and to look at. Without any (`cache: false`, `ng serve`) it is empty. */
  get cache(): StoredPages {
    return this.#pages ?? nothingStored;
  }

  /** The folder the built files were read from; undefined where there is none (`ng serve`). */
  get browserFolder(): string | undefined {
    return this.#options.browserFolder;
  }

  /** Whether {@link drain} has been called. */
  get isDraining(): boolean {
    return this.#isDraining;
  }

  /**
   * Answers a probe. `answer` does so too: this is for servers that put middleware in front of it,
   * since a probe must not depend on a session store. It costs nothing where there are none.
   *
   * @param target - As received, with the query.
   * @returns undefined for what is no probe; a promise, which never rejects, while a check of the user's
   * runs. `answer`, which is synchronous, leaves those to `render`.
   */
  probe(method: string, target: string): Answer | Promise<Answer> | undefined {
    return this.#probes?.answer(method, target);
  }

  /**
   * Steps 1 to 4 and 7 for what is held or stored: synchronous, with prebuilt answers.
   *
   * @returns undefined when the request is not ours so far: the framework's routes are next.
   */
  answer(exchange: Exchange): Answer | undefined {
    const { method, target, targetBelowMount = target } = exchange;
    const probe = this.#probes?.answer(method, targetBelowMount);
    if (probe !== undefined) return probe instanceof Promise ? undefined : probe;
    const answer = this.#find(exchange);
    if (answer !== undefined) tellRequest(exchange, answer, 0, this.#log);
    return answer;
  }

  #find(exchange: Exchange): Answer | undefined {
    const site = this.#site(exchange);
    if (site.verdict === 'malformed') return this.#refuse('NG_SSR_HOST_MALFORMED', exchange);
    const { method, target, targetBelowMount = target } = exchange;
    const resource = this.#built.find(targetBelowMount);
    if (resource === undefined && !(isWellFormed(targetBelowMount) && isWellFormed(target))) {
      if (!asksAboutServer(exchange)) return this.#refuse('NG_SSR_TARGET_MALFORMED', exchange);
      if (site.verdict === 'not-allowed') return this.#refuseHost(site.hostname, exchange);
      return SERVER_OPTIONS;
    }
    if (method !== 'GET' && method !== 'HEAD') return undefined;
    if (resource === undefined) {
      if (site.verdict === 'not-allowed' || this.#pages === undefined) return undefined;
      const page = this.#pages.find(exchange, site.origin);
      return page && this.#keepQuery(page, exchange);
    }
    if (site.verdict === 'not-allowed') return this.#refuseHost(site.hostname, exchange);
    if (this.#errorPages.isNotFound(resource)) return this.#notFound(exchange);
    return this.#select(resource, exchange);
  }

  #select(resource: HeldResource, exchange: Exchange): Answer {
    const { full } = resource.identity;
    if (this.#nonce?.isIn(full) === true) return this.#nonce.fill(full, exchange);
    return select(resource, exchange);
  }

  /**
   * The answer from a built file that is not held, after the framework's routes.
   *
   * @returns undefined, at once, when there is no such file: `render` is next. It never rejects; a
   * file that has gone since the start is a 404.
   */
  largeFile(exchange: Exchange): Promise<Answer | FileAnswer> | undefined {
    const { method, target, targetBelowMount = target } = exchange;
    if (method !== 'GET' && method !== 'HEAD') return undefined;
    if (this.#site(exchange).verdict !== 'allowed') return undefined;
    const file = this.#built.findLarge(targetBelowMount);
    return file && this.#answerFileAndTell(file, exchange);
  }

  async #answerFileAndTell(file: LargeFile, exchange: Exchange): Promise<Answer | FileAnswer> {
    const sinceMs = performance.now();
    const answer = await this.#answerFile(file, exchange);
    tellRequest(exchange, answer, performance.now() - sinceMs, this.#log);
    return answer;
  }

  async #answerFile(file: LargeFile, exchange: Exchange): Promise<Answer | FileAnswer> {
    const toError = (cause: unknown): SsrError => {
      const message = `${exchange.method} ${exchange.target}: ${file.absolutePath} cannot be read`;
      return new SsrError('NG_SSR_FILE_UNREADABLE', message, { cause });
    };
    try {
      return await file.answer(exchange, (cause) => this.#report(toError(cause)));
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ENOTDIR') return this.#notFound(exchange);
      return this.#answerError(exchange, toError(cause));
    }
  }

  /**
   * Renders. The answer is complete: the body has been read to its end.
   *
   * @param requestContext - What components inject as `REQUEST_CONTEXT`.
   * @returns undefined when the engine says that the path is not the application's. Never rejects.
   */
  async render(exchange: Exchange, requestContext?: unknown): Promise<Answer | undefined> {
    const { method, target, targetBelowMount = target } = exchange;
    const probe = this.#probes?.answer(method, targetBelowMount);
    if (probe !== undefined) return probe;
    return this.#renderAndTell(exchange, requestContext, false);
  }

  async #renderAndTell(
    exchange: Exchange,
    requestContext: unknown,
    isBackground: boolean,
  ): Promise<Answer | undefined> {
    const sinceMs = performance.now();
    const answer = await this.#render(exchange, requestContext, isBackground);
    if (answer === undefined) return undefined;
    const durationMs = performance.now() - sinceMs;
    // A prewarmed page answers no client's request.
    tellRequest(exchange, answer, durationMs, isBackground ? undefined : this.#log);
    return this.#options.serverTiming ? withTiming(answer, durationMs) : answer;
  }

  async #render(
    exchange: Exchange,
    requestContext: unknown,
    isBackground: boolean,
  ): Promise<Answer | undefined> {
    const { method } = exchange;
    const isPurge = this.#purgeEndpoint?.isAsked(exchange) === true;
    if (method !== 'GET' && method !== 'HEAD' && !isPurge) {
      return this.#refuse('NG_SSR_METHOD_NOT_ALLOWED', exchange);
    }
    const site = this.#site(exchange);
    if (site.verdict === 'malformed') return this.#refuse('NG_SSR_HOST_MALFORMED', exchange);
    if (!isWellFormed(exchange.target)) return this.#refuse('NG_SSR_TARGET_MALFORMED', exchange);
    if (site.verdict === 'not-allowed') return this.#refuseHost(site.hostname, exchange);
    const constant = isPurge ? undefined : this.#findConstant(exchange);
    if (constant !== undefined) return this.#select(constant, exchange);

    const { deadlineMs, rungs } = this.#patienceFor(exchange);
    const waiter = new Waiter(performance.now() + deadlineMs);
    let hasClientLeft = false;
    const ignore = exchange.onDisconnect?.(() => {
      hasClientLeft = true;
      waiter.leave();
    });
    try {
      if (isPurge) return await this.#purgeEndpoint!.answer(exchange);
      const patience = { waiter, rungs, isBackground };
      // What a nonce and a coding make of the content decides on the fields of HEAD.
      const asked = asGet(exchange);
      const rendering =
        this.#pages === undefined
          ? this.#renderAlone(asked, site.origin, requestContext, patience)
          : this.#pages.answer(asked, site.origin, requestContext, patience);
      const answer = await this.#within(deadlineMs, rendering, exchange);
      if (answer === undefined) return undefined;
      const kept = this.#keepQuery(answer, exchange);
      return method === 'HEAD' && kept.body !== null ? { ...kept, body: null } : kept;
    } catch (error) {
      if (!isOverload(error)) return this.#answerError(exchange, error);
      if (hasClientLeft) return refuse('NG_SSR_OVERLOADED', method);
      if (isBackground && error.code === 'NG_SSR_OVERLOADED') throw error;
      const stale = rungs.includes('stale')
        ? this.#pages?.findStale(exchange, site.origin)
        : undefined;
      if (stale === undefined) {
        return this.#ladder.answer(error, exchange, rungs.includes('shell'));
      }
      tellShed(exchange, 'stale', error);
      return this.#keepQuery(stale, exchange);
    } finally {
      ignore?.();
      waiter.leave();
    }
  }

  /**
   * Tells what a route of the user's, or middleware, has answered, best before it is sent: a
   * successful answer to an unsafe request invalidates the stored pages of its target (RFC 9111
   * section 4.4). Refusals of this handler need not be told. Never throws.
   *
   * @param exchange - Of the request: with the target as received, or as middleware has made it.
   */
  answered(exchange: Exchange, answer: RouteAnswer): void {
    const { cache } = this.#options;
    if (this.#pages === undefined || cache === false || !cache.invalidateOnUnsafeMethods) return;
    if (!isUnsafe(exchange.method) || !isWellFormed(exchange.target)) return;
    const site = this.#site(exchange);
    if (site.verdict !== 'allowed' || this.#purgeEndpoint?.isAsked(exchange) === true) return;
    const targets = invalidatedTargets(site.origin, exchange.target, answer);
    for (const target of targets) this.#pages.invalidate(target);
  }

  /** Reports a failure, a user's route's or middleware's by default, and answers with a 500. */
  fail(exchange: Exchange, cause: unknown, code: SsrErrorCode = 'NG_SSR_HANDLER_FAILED'): Answer {
    const { method, target } = exchange;
    const error = new SsrError(code, `${method} ${target} failed`, { cause });
    const answer = this.#answerError(exchange, error);
    tellRequest(exchange, answer, 0, this.#log);
    return answer;
  }

  /** The 404 of a path that no file, page or route answers: the build's page, or a short text. */
  notFound(exchange: Exchange): Answer {
    const answer = this.#notFound(exchange);
    tellRequest(exchange, answer, 0, this.#log);
    return answer;
  }

  #notFound(exchange: Exchange): Answer {
    const page = this.#errorPages.answer('NG_SSR_NOT_FOUND', exchange);
    return page ?? this.#refuse('NG_SSR_NOT_FOUND', exchange);
  }

  /**
   * Starts render threads, content codings, which are made off the main thread, and prewarming;
   * `listen` does so, and the first request.
   *
   * @returns resolves when a thread can render, every held resource has its codings and, where
   * `prewarm.blocksReady` says so, every page to be prewarmed is rendered.
   */
  ready(): Promise<void> {
    // Prewarming renders, and whoever renders first asks for this.
    return (this.#ready ??= this.#runAtStart(() => Promise.resolve().then(() => this.#getReady())));
  }

  /** From now on the `ready` probe says 503; everything else is answered as before. */
  drain(): void {
    this.#isDraining = true;
  }

  /**
   * Stops what runs in the background, writes what is left of the request log, and calls `onClose`: to be
   * called when the last request is answered. Later calls get the same promise.
   *
   * @throws SsrError `NG_SSR_CLOSE_FAILED`, which has been reported.
   */
  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  async #close(): Promise<void> {
    this.#isClosed = true;
    this.drain();
    try {
      // What is being rendered may still be shared.
      await this.#scheduler.close();
      await this.#pages?.close();
    } finally {
      await this.#log?.flush();
      await this.#callOnClose();
    }
  }

  async #callOnClose(): Promise<void> {
    try {
      await this.#options.onClose?.();
    } catch (cause) {
      const error = new SsrError('NG_SSR_CLOSE_FAILED', 'onClose has failed', { cause });
      this.#report(error);
      throw error;
    }
  }

  /** The first to ask gets it started, as the first request does: there may be none before it is ready. */
  #readyState(): ReadyState {
    void this.ready();
    if (this.#isDraining) return 'draining';
    return this.#isReady ? 'ok' : 'starting';
  }

  async #getReady(): Promise<void> {
    const { engine, cache, browserFolder, onError } = this.#options;
    const isStopped = (): boolean => this.#isClosed;
    const claim = (bytes: number): boolean => this.#built.claim(bytes);
    const code = (jobs: readonly CodingJob[]): Promise<readonly Codable[]> =>
      makeCodings(jobs, claim, onError, isStopped);
    const ofEngine = async (): Promise<readonly Codable[]> =>
      browserFolder === undefined ? [] : code(await this.#constantPages.ask(engine));
    const codings = Promise.all([code(this.#built.codingJobs), ofEngine()]).then((dropped) =>
      this.#tellUncoded(dropped.flat()),
    );
    const serviceable = [this.#scheduler.ready()];
    const pages = this.#pages === undefined || cache === false ? undefined : cache.prewarm;
    if (pages !== undefined) {
      const render = async (exchange: Exchange): Promise<Answer | undefined> =>
        this.#find(exchange) ?? this.#prewarm(exchange);
      const warm = prewarm(pages, browserFolder, render, onError, isStopped);
      if (pages.blocksReady === true) serviceable.push(warm);
    }
    await Promise.all(serviceable);
    this.#isReady = true;
    await codings;
  }

  /** Tries again while there is no place for it: requests come first. */
  async #prewarm(exchange: Exchange): Promise<Answer | undefined> {
    for (let waitMs = FIRST_RETRY_MS; ; waitMs = Math.min(waitMs * 2, LAST_RETRY_MS)) {
      try {
        return await this.#renderAndTell(exchange, undefined, true);
      } catch {
        if (this.#isClosed) return refuse('NG_SSR_OVERLOADED', exchange.method);
        await wait(waitMs, undefined, { ref: false });
      }
    }
  }

  async #renderAlone(
    exchange: Exchange,
    origin: string,
    requestContext: unknown,
    { waiter, rungs, isBackground }: Patience,
  ): Promise<Answer | undefined> {
    const { method, target } = exchange;
    const request = toRequest(exchange, origin + target, this.#isTrusted);
    const job = { request, requestContext, isShared: false, name: `${method} ${target}` };
    const terms = { mayQueue: rungs.includes('queue'), demand: toDemand(waiter, isBackground) };
    const rendered = await this.#scheduler.render(job, terms);
    return rendered && this.#answers.of(rendered, exchange, 'fwd=uri-miss', waiter);
  }

  #toRenderer(handler: number): Renderer {
    const { engine, render, browserFolder } = this.#options;
    const onError = (error: SsrError): void => this.#report(error);
    const inProcess = renderInProcess({
      engine: () => this.#engine(),
      failOnError: engine.failOnError,
      onError,
    });
    if (render.workers === 0 || browserFolder === undefined) return inProcess;
    const setup = (): EngineSetup => this.#engineSetup();
    return new WorkerPool({ ...render, handler, inProcess, setup, onError });
  }

  /** A rule has a word on how the page may be stored: it is rendered then. */
  #findConstant({ target }: Exchange): HeldResource | undefined {
    const constant = this.#constantPages.find(target);
    const isRuled =
      constant !== undefined && this.#rules.read(normalisePath(pathOf(target))).rule !== undefined;
    return isRuled ? undefined : constant;
  }

  /** Under `ng serve` somebody may stand at a breakpoint. */
  #patienceFor({ target }: Exchange): { deadlineMs: number; rungs: Patience['rungs'] } {
    const { render, browserFolder } = this.#options;
    const { rule } = this.#rules.read(normalisePath(pathOf(target)));
    const rungs = rule?.rungs ?? render.rungs;
    if (browserFolder === undefined) return { deadlineMs: Number.POSITIVE_INFINITY, rungs };
    return { deadlineMs: rule?.deadlineMs ?? render.deadlineMs, rungs };
  }

  /** What goes wrong when nobody waits any more is reported all the same. */
  #within<T>(deadlineMs: number, rendering: Promise<T>, exchange: Exchange): Promise<T> {
    if (deadlineMs === Number.POSITIVE_INFINITY) return rendering;
    let isLate = false;
    rendering.catch((error: unknown) => {
      if (isLate && (error as SsrError).code !== 'NG_SSR_OVERLOADED')
        this.#report(error as SsrError);
    });
    const { method, target } = exchange;
    return withinDeadline(rendering, deadlineMs, `${method} ${target}`).catch((error: unknown) => {
      isLate = error instanceof SsrError && error.code === 'NG_SSR_DEADLINE_PASSED';
      throw error;
    });
  }

  /** One failure may be the answer to many who waited: it is reported once. */
  #report(error: SsrError): void {
    if (!this.#reported.has(error)) this.#options.onError(error);
    this.#reported.add(error);
  }

  /** A redirect within the site keeps the parameters that its page did not see. */
  #keepQuery(answer: Answer, exchange: Exchange): Answer {
    const isRedirect = answer.status >= 300 && answer.status < 400 && answer.status !== 304;
    const ignored = isRedirect ? this.#pages?.ignoredQuery(exchange) : undefined;
    const location = ignored ? valueOf(answer.headers, 'location') : undefined;
    const site = this.#site(exchange);
    if (!location || site.verdict !== 'allowed' || !leadsTo(site.origin, location)) return answer;
    // The first `#` begins the fragment, in which others may stand.
    const hash = location.indexOf('#');
    const end = hash === -1 ? location.length : hash;
    const address = location.slice(0, end);
    const separator = address.includes('?') ? '&' : '?';
    const kept = address + separator + ignored + location.slice(end);
    return { ...answer, headers: withField(answer.headers, 'location', kept) };
  }

  #answerError(exchange: Exchange, cause: unknown): Answer {
    const error =
      cause instanceof SsrError
        ? cause
        : new SsrError('NG_SSR_RENDER_FAILED', `${exchange.method} ${exchange.target} failed`, {
            cause,
          });
    this.#report(error);
    const page = this.#options.errorDetails
      ? undefined
      : this.#errorPages.answer(error.code, exchange);
    if (page !== undefined) return { ...page, error };
    const { cause: reason = error } = error;
    const description = describeError(reason);
    // What is no error does not say where it comes from.
    const details = reason instanceof Error ? description : `${error.message}: ${description}`;
    return { ...this.#refuse(error.code, exchange, details), error };
  }

  #site(exchange: Exchange): Site {
    return (this.#sites ??= this.#start()).read(exchange);
  }

  /** Runs with the first request: under `ng serve` the engine knows its hosts only by then. */
  #start(): SiteReader {
    void this.ready();
    const { trustProxyHeaders } = this.#options;
    const trustsAny = trustProxyHeaders !== false;
    return new SiteReader(toHostPredicate(this.#allowedHosts()), this.#isTrusted, trustsAny);
  }

  #allowedHosts(): readonly string[] {
    const { engine, allowedHosts } = this.#options;
    try {
      return [...allowedHosts, ...(engine.allowedHosts?.() ?? [])];
    } catch (cause) {
      // An engine that cannot start fails its renders; what is held is answered all the same.
      const message = 'the engine cannot tell its allowed hosts';
      this.#options.onError(new SsrError('NG_SSR_RENDER_FAILED', message, { cause }));
      return allowedHosts;
    }
  }

  /** An engine that cannot start is reported by what needs it: pages are held all the same. */
  #locales(): Readonly<Record<string, string>> | undefined {
    try {
      return this.#options.engine.locales?.();
    } catch {
      return undefined;
    }
  }

  #engine(): RenderEngine {
    const { engine } = this.#options;
    if (!this.#isEngineSetUp) {
      engine.setup?.(this.#engineSetup());
      this.#isEngineSetUp = true;
    }
    return engine;
  }

  #engineSetup(): EngineSetup {
    const { trustProxyHeaders, browserFolder } = this.#options;
    const nonce = this.#nonce?.document;
    return { allowedHosts: this.#allowedHosts(), trustProxyHeaders, browserFolder, nonce };
  }

  #tellUnheld(pages: readonly string[]): void {
    if (pages.length === 0) return;
    const message =
      `${pages.join(', ')}: too large to be held, so no answer's nonce can be put into the built ` +
      'page, and it is rendered for each request. maxFileBytes and maxHeldBytes make room.';
    this.#options.onError(new SsrError('NG_SSR_NONCE_UNFILLED', message));
  }

  /** @param dropped - Files for none of whose codings there was room. */
  #tellUncoded(dropped: readonly Pick<Codable, 'path' | 'sizeBytes'>[]): void {
    const files = [...this.#built.uncodedFiles, ...dropped];
    if (files.length === 0 || this.#isClosed) return;
    const names = files.map(({ path, sizeBytes }) => `${path} (${sizeBytes} bytes)`);
    const message =
      `${names.join(', ')}: sent without a content coding. Codings are made of text files of up to ` +
      `${MOST_CODED_FILE_BYTES} bytes, of larger ones where maxFileBytes has them held, and as far ` +
      'as maxHeldBytes has room.';
    this.#options.onError(new SsrError('NG_SSR_CODING_FAILED', message));
  }

  #refuse(code: SsrErrorCode, { method }: Exchange, details?: string): Answer {
    return refuse(code, method, this.#options.errorDetails ? details : undefined);
  }

  #refuseHost(hostname: string, exchange: Exchange): Answer {
    this.#refusedHosts.report(hostname);
    return this.#refuse('NG_SSR_HOST_NOT_ALLOWED', exchange, describeRefusal(hostname));
  }
}

/** Whether an address of a redirect, relative or absolute, is one of this origin. */
function leadsTo(origin: string, location: string): boolean {
  return URL.canParse(location, origin) && new URL(location, origin).origin === origin;
}

/** The request for the whole of what HEAD asks about. */
function asGet(exchange: Exchange): Exchange {
  const { method, target, encrypted, status } = exchange;
  if (method !== 'HEAD') return exchange;
  return {
    method: 'GET',
    target,
    encrypted,
    status,
    header: (name) => (name === 'range' ? undefined : exchange.header(name)),
    headers: () => exchange.headers(),
    content: (maxBytes) => exchange.content(maxBytes),
    onDisconnect: (listener) => exchange.onDisconnect?.(listener) ?? (() => undefined),
  };
}
