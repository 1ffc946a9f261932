import { platform } from '#platform';
import type { SsrErrorCode } from '../errors.ts';
import type { Answer, Exchange, StreamedAnswer } from '../exchange.ts';
import type { FetchAsset } from '../files/manifest/asset-file.ts';
import type { RouteAnswer } from '../pages/policy/invalidation.ts';
import type { StoredPages } from '../pages/stored-pages.ts';
import { compose } from '../path/compose.ts';
import { ErrorReports } from '../path/error-reports.ts';
import {
  type NeutralOptions,
  type ResolvedNeutralOptions,
  resolveNeutralOptions,
} from './neutral-options.ts';
import { neutralRuntime } from './neutral-runtime.ts';
import { startFeatures } from './start-features.ts';
import { forServer } from '../path/for-server.ts';
import type { RequestPath } from '../path/request-path.ts';
import type { RequestParser } from '../pages/parsed-request.ts';

/**
 * The request path on a platform without Node's modules. An adapter calls it as `SsrHandler`: `answer`, then its
 * routes, `largeFile` and `render`, with an exchange that has `waitUntil` where the platform has.
 */
export class NeutralHandler {
  /** Purges and inspects the stored pages of this isolate. */
  readonly cache: StoredPages;
  readonly #parser: RequestParser;
  readonly #path: RequestPath;

  /**
   * Checks the options.
   *
   * @param fetchAsset - For files that the manifest names only. Required if there are any.
   * @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN`, `NG_SSR_PACK_INVALID`
   */
  constructor(options: NeutralOptions, fetchAsset: FetchAsset | undefined) {
    const resolved: ResolvedNeutralOptions = resolveNeutralOptions(options);
    const reports = new ErrorReports(resolved.onError);
    const isBuilt = resolved.manifest !== undefined;
    const isStored = isBuilt && resolved.cache !== false;
    const features = forServer(resolved.features, { isBuilt, isStored });
    const runtime = neutralRuntime(resolved, fetchAsset, reports, features);
    const hooks = { begin: () => start(), isProbe: () => false };
    const parts = compose(runtime, resolved, features, reports, hooks);
    // In the context of no request.
    const start = platform.bindToContext(() => void startFeatures(parts));
    const { server, parser } = parts;
    this.cache = server.pages;
    this.#parser = parser;
    this.#path = parts.requestPath;
  }

  /** As `SsrHandler.answer`. */
  answer(exchange: Exchange): Answer | undefined {
    return this.#path.answer(this.#parser.parse(exchange));
  }

  /** As `SsrHandler.largeFile`: a file that the platform keeps. */
  largeFile(exchange: Exchange): Promise<Answer | StreamedAnswer> | undefined {
    return this.#path.answerWithFile(this.#parser.parse(exchange));
  }

  /** As `SsrHandler.render`. */
  async render(exchange: Exchange, requestContext?: unknown): Promise<Answer | undefined> {
    return this.#path.answerWithRender(this.#parser.parse(exchange), requestContext);
  }

  /** As `SsrHandler.complete`. */
  async complete(
    exchange: Exchange,
    requestContext?: unknown,
  ): Promise<Answer | StreamedAnswer | undefined> {
    return this.#path.complete(this.#parser.parse(exchange), requestContext);
  }

  /** As `SsrHandler.answered`. */
  answered(exchange: Exchange, answer: RouteAnswer): void {
    this.#path.noteAnswer(() => this.#parser.parse(exchange), answer);
  }

  /** As `SsrHandler.fail`. */
  fail(exchange: Exchange, cause: unknown, code?: SsrErrorCode): Answer {
    return this.#path.answerFailure(this.#parser, exchange, cause, code);
  }

  /** As `SsrHandler.notFound`. */
  notFound(exchange: Exchange): Answer {
    return this.#path.answerNotFound(this.#parser.parse(exchange));
  }
}
