import { refuse } from '../answers/refusal.ts';
import { adviceOn } from '../browser-globals.ts';
import { describeError, isError } from '../describe-error.ts';
import type { RenderEngine } from '../engine.ts';
import { docsOf, SsrError, type SsrErrorCode } from '../errors.ts';
import type { Answer } from '../exchange.ts';
import type { RequestFiles } from './request-files.ts';
import { RefusedHosts } from '../host/refused-hosts.ts';
import type { ParsedRequest } from '../pages/parsed-request.ts';
import { failOnErrorHint } from './fail-on-error-hint.ts';
import type { CoreOptions } from './core-options.ts';

/** Reports failures, and answers requests that get no page with error pages or short texts. */
export class Failures {
  /** Reports an error once, even if several requests fail with it. */
  readonly report: (error: SsrError) => void;
  readonly #engine: RenderEngine;
  readonly #files: RequestFiles;
  /** Whether answers describe the failure (in development). */
  readonly #hasDetails: boolean;
  readonly #refusedHosts: RefusedHosts;

  constructor(
    {
      allowedHosts,
      engine,
      errorDetails,
    }: Pick<CoreOptions, 'allowedHosts' | 'engine' | 'errorDetails'>,
    files: RequestFiles,
    report: (error: SsrError) => void,
  ) {
    this.#engine = engine;
    this.#files = files;
    this.#hasDetails = errorDetails;
    this.report = report;
    this.#refusedHosts = new RefusedHosts(typeof allowedHosts === 'function', report);
  }

  /** @param docs - Where `details` are explained. */
  refuse(
    code: SsrErrorCode,
    { method }: ParsedRequest,
    details?: string,
    docs: string = docsOf(code),
  ): Answer {
    const hasDetails = this.#hasDetails && details !== undefined;
    return refuse(code, method, hasDetails ? `${details}\n\n${docs}` : undefined);
  }

  /** Refuses a request whose host is not to be answered; undefined for others. */
  refuseSite(request: ParsedRequest): Answer | undefined {
    const { site } = request;
    switch (site.verdict) {
      case 'allowed':
      case 'asked':
        return undefined;
      case 'malformed':
        return this.refuse('NG_SSR_HOST_MALFORMED', request);
      case 'undecided':
        return this.refuse('NG_SSR_HOST_UNDECIDED', request, describeError(site.error));
      case 'not-allowed': {
        const forwarded = request.exchange.header('x-forwarded-host');
        const details = this.#refusedHosts.report(site, forwarded);
        return this.refuse('NG_SSR_HOST_NOT_ALLOWED', request, details);
      }
    }
  }

  /** The 404 of a path that no file, page or route answers: the build's page, or a short text. */
  notFound(request: ParsedRequest): Answer {
    const page = this.#files.errorPage('NG_SSR_NOT_FOUND', request);
    return page ?? this.refuse('NG_SSR_NOT_FOUND', request);
  }

  /** A failure that no request is left to be answered with. */
  reportLate(error: unknown): void {
    if (error instanceof SsrError && error.code !== 'NG_SSR_OVERLOADED') this.report(error);
  }

  /** Answers the failure of a trait. Other errors are of a request that cannot be read: the adapter's. */
  answerTrait(request: ParsedRequest, error: unknown): Answer {
    if (!(error instanceof SsrError)) throw error;
    return this.answer(request, error);
  }

  /** Reports a failure, and answers with its status. */
  answer(request: ParsedRequest, cause: unknown): Answer {
    const error =
      cause instanceof SsrError
        ? cause
        : new SsrError('NG_SSR_RENDER_FAILED', `${request.name} failed`, { cause });
    this.report(error);
    const page = this.#hasDetails ? undefined : this.#files.errorPage(error.code, request);
    if (page !== undefined) return { ...page, error };
    const { cause: reason = error } = error;
    const { docs } = reason instanceof SsrError ? reason : error;
    const description = describeError(reason);
    // A thrown value that is no Error does not say where it comes from: the message names the request.
    const shown = isError(reason) ? description : `${error.message}: ${description}`;
    const isOfPage = error.code === 'NG_SSR_RENDER_FAILED';
    const hint = isOfPage ? failOnErrorHint(this.#engine) : undefined;
    const details = [shown, adviceOn(reason), hint]
      .filter((text) => text !== undefined)
      .join('\n\n');
    return { ...this.refuse(error.code, request, details, docs), error };
  }
}
