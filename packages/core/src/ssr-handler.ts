import { BuiltIndex } from './built/built-index.ts';
import { makeCodings } from './built/make-codings.ts';
import type { RenderEngine } from './engine.ts';
import { SsrError, type SsrErrorCode } from './errors.ts';
import type { Answer, Exchange, LargeFile } from './exchange.ts';
import { toHostPredicate } from './host/allowed-hosts.ts';
import { type ProxyHeaderPredicate, toProxyHeaderPredicate } from './host/proxy-headers.ts';
import { type Site, SiteReader } from './host/site.ts';
import { parseRange } from './http/range.ts';
import { select } from './http/select.ts';
import { type ResolvedOptions, resolveOptions, type SsrOptions } from './options.ts';
import { refuse, refuseRange } from './refusal.ts';
import { toAnswer } from './render/to-answer.ts';
import { toRequest } from './render/to-request.ts';
import { isWellFormed } from './target/target.ts';

/**
 * The request path, without any framework. An adapter asks `answer` first, gives its own routes
 * their turn when that has nothing, and then asks `largeFile` and `render`.
 */
export class SsrHandler {
  readonly #options: ResolvedOptions;
  readonly #isTrusted: ProxyHeaderPredicate;
  readonly #built: BuiltIndex;
  #sites: SiteReader | undefined;
  #codings: Promise<void> | undefined;
  #isEngineSetUp = false;
  #isClosed = false;

  /**
   * Checks the options and indexes the built files, synchronously: whoever has a handler can
   * answer from it.
   *
   * @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_INDEX_FAILED`
   */
  constructor(options: SsrOptions) {
    this.#options = resolveOptions(options);
    const { browserFolder, trustProxyHeaders } = this.#options;
    this.#isTrusted = toProxyHeaderPredicate(trustProxyHeaders, 'trustProxyHeaders');
    this.#built = new BuiltIndex(browserFolder, this.#options);
  }

  /** The folder the built files were read from; undefined where there is none (`ng serve`). */
  get browserFolder(): string | undefined {
    return this.#options.browserFolder;
  }

  /** Whether the framework's static server is needed at all. */
  get hasLargeFiles(): boolean {
    return this.#built.hasLargeFiles;
  }

  /**
   * Steps 1 to 3, 7 and 8 for what is held: synchronous, with prebuilt answers.
   *
   * @returns undefined when the request is not ours so far: the framework's routes are next.
   */
  answer(exchange: Exchange): Answer | undefined {
    const site = this.#site(exchange);
    if (site.verdict === 'malformed') return this.#refuse('NG_SSR_HOST_MALFORMED', exchange);
    const resource = this.#built.find(exchange.target);
    if (resource === undefined) {
      if (isWellFormed(exchange.target)) return undefined;
      return this.#refuse('NG_SSR_TARGET_MALFORMED', exchange);
    }
    if (exchange.method !== 'GET' && exchange.method !== 'HEAD') return undefined;
    if (site.verdict === 'not-allowed') return this.#refuseHost(site.hostname, exchange);
    return select(resource, exchange);
  }

  /**
   * The built file for the framework's static server to send, where it is too large to be held.
   * Static servers differ in how they read Range, so it is read here.
   */
  largeFile(exchange: Exchange): LargeFile | Answer | undefined {
    if (exchange.method !== 'GET' && exchange.method !== 'HEAD') return undefined;
    if (this.#site(exchange).verdict !== 'allowed') return undefined;
    const file = this.#built.findLarge(exchange.target);
    const field = exchange.header('range');
    if (file === undefined || field === undefined || exchange.method === 'HEAD') return file;
    // A static server's tags are weak, and a weak tag never validates a range (RFC 9110 13.1.5).
    if (exchange.header('if-range') !== undefined) return file;
    const range = parseRange(field, file.sizeBytes);
    return range === 'unsatisfiable' ? refuseRange(file.sizeBytes) : { ...file, range };
  }

  /**
   * Renders. The answer is complete: the body has been read to its end.
   *
   * @param requestContext - What components inject as `REQUEST_CONTEXT`.
   * @returns undefined when the engine says that the path is not the application's. Never rejects.
   */
  async render(exchange: Exchange, requestContext?: unknown): Promise<Answer | undefined> {
    const { method } = exchange;
    if (method !== 'GET' && method !== 'HEAD') {
      return this.#refuse('NG_SSR_METHOD_NOT_ALLOWED', exchange);
    }
    const site = this.#site(exchange);
    if (site.verdict === 'malformed') return this.#refuse('NG_SSR_HOST_MALFORMED', exchange);
    // Below a mount `answer` has seen only a part of the target.
    if (!isWellFormed(exchange.target)) return this.#refuse('NG_SSR_TARGET_MALFORMED', exchange);
    if (site.verdict === 'not-allowed') return this.#refuseHost(site.hostname, exchange);

    let code: SsrErrorCode = 'NG_SSR_RENDER_FAILED';
    try {
      const request = toRequest(exchange, site.origin, this.#isTrusted);
      const response = await this.#engine()(request, requestContext);
      if (response === null || response === undefined) return undefined;
      code = 'NG_SSR_BODY_FAILED';
      return toAnswer(response, new Uint8Array(await response.arrayBuffer()), exchange);
    } catch (cause) {
      return this.fail(exchange, cause, code);
    }
  }

  /** Reports a failure, a user's route's or middleware's by default, and answers with a 500. */
  fail(exchange: Exchange, cause: unknown, code: SsrErrorCode = 'NG_SSR_HANDLER_FAILED'): Answer {
    const { method, target } = exchange;
    const error = new SsrError(code, `${method} ${target} failed`, { cause });
    this.#options.onError(error);
    const details = cause instanceof Error ? cause.stack : String(cause);
    return { ...this.#refuse(code, exchange, details), error };
  }

  /** The answer to a path that is nobody's. */
  notFound(exchange: Exchange): Answer {
    return this.#refuse('NG_SSR_NOT_FOUND', exchange);
  }

  /**
   * Starts to make the content codings, off the main thread; the first request does so too.
   *
   * @returns resolves when every held resource has its codings.
   */
  ready(): Promise<void> {
    this.#codings ??= makeCodings(
      this.#built.codingJobs,
      (bytes) => this.#built.claim(bytes),
      this.#options.onError,
      () => this.#isClosed,
    );
    return this.#codings;
  }

  /** Stops what runs in the background. */
  close(): void {
    this.#isClosed = true;
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

  #engine(): RenderEngine {
    const { engine, trustProxyHeaders, browserFolder } = this.#options;
    if (!this.#isEngineSetUp) {
      engine.setup?.({ allowedHosts: this.#allowedHosts(), trustProxyHeaders, browserFolder });
      this.#isEngineSetUp = true;
    }
    return engine;
  }

  #refuse(code: SsrErrorCode, { method }: Exchange, details?: string): Answer {
    return refuse(code, method, this.#options.errorDetails ? details : undefined);
  }

  #refuseHost(hostname: string, exchange: Exchange): Answer {
    return this.#refuse(
      'NG_SSR_HOST_NOT_ALLOWED',
      exchange,
      `The host ${hostname} is not in allowedHosts: set the option, NG_ALLOWED_HOSTS, or ` +
        'security.allowedHosts in angular.json.',
    );
  }
}
