import { standIn } from '../answers/stand-in.ts';
import type { RequestFiles } from './request-files.ts';
import { SsrError, type SsrErrorCode } from '../errors.ts';
import type { Answer, Exchange } from '../exchange.ts';
import { withHeader } from '../http/header-list.ts';
import { underStatus } from '../answers/representation.ts';
import { refuse } from '../answers/refusal.ts';
import type { ParsedRequest } from '../pages/parsed-request.ts';
import { channelOf, type ShedEvent } from '../telemetry/channels.ts';

/** Errors that another render may not have: the request gets a fallback. */
const OVERLOAD: ReadonlySet<SsrErrorCode> = new Set<SsrErrorCode>([
  'NG_SSR_OVERLOADED',
  'NG_SSR_DEADLINE_PASSED',
  'NG_SSR_RENDER_TIMEOUT',
  'NG_SSR_WORKER_LOST',
  'NG_SSR_RENDER_NOT_REPEATED',
]);

/** Headers of the CSR page as a file: with them a cache could store it in place of the page. */
const OF_THE_FILE = new Set(['etag', 'last-modified', 'accept-ranges', 'cache-status']);

/** Requests turned away are reported together, at most once in this time. */
const REPORT_EVERY_MS = 10_000;

/** Publishes that a request got a fallback in place of its page. */
export function publishShed(
  { target }: Exchange,
  fallback: ShedEvent['fallback'],
  error: SsrError,
): void {
  if (sheds.hasSubscribers) sheds.publish({ target, fallback, error: error.code });
}

const sheds = channelOf('ng-ssr:shed');

/** Whether a request that fails with this error may get a fallback. */
export function isOverload(error: unknown): error is SsrError {
  return error instanceof SsrError && OVERLOAD.has(error.code);
}

/**
 * The last fallbacks: the CSR page, from which the browser renders the page, and 503, with the build's
 * error page if there is one.
 */
export class OverloadFallbacks {
  readonly #files: RequestFiles;
  readonly #onError: (error: SsrError) => void;
  #turnedAway = 0;
  #reportedAtMs = 0;

  constructor(files: RequestFiles, onError: (error: SsrError) => void) {
    this.#files = files;
    this.#onError = onError;
  }

  answer(error: SsrError, request: ParsedRequest, mayUseCsr: boolean): Answer {
    this.#report(error);
    const { exchange } = request;
    const document = mayUseCsr ? this.#files.csrPage(request) : undefined;
    const csrPage = document && standIn(document, exchange);
    publishShed(exchange, csrPage === undefined ? 'unavailable' : 'csr', error);
    if (csrPage === undefined) {
      const page = this.#files.errorPage('NG_SSR_OVERLOADED', request);
      return page ?? refuse('NG_SSR_OVERLOADED', exchange.method);
    }
    const { headers, body } = csrPage;
    let kept: string[] = [];
    for (let i = 0; i < headers.length; i += 2) {
      if (!OF_THE_FILE.has(headers[i]!.toLowerCase())) kept.push(headers[i]!, headers[i + 1]!);
    }
    kept = withHeader(kept, 'Cache-Control', 'no-store');
    kept.push('Cache-Status', `ng-ssr; fwd=uri-miss; detail=csr-${error.code}`);
    return underStatus({ status: 200, headers: kept, body }, exchange.status, false);
  }

  /** A timed-out or lost render is reported on its own, because its error names the route. */
  #report(error: SsrError): void {
    if (error.code !== 'NG_SSR_OVERLOADED' && error.code !== 'NG_SSR_DEADLINE_PASSED') {
      return this.#onError(error);
    }
    this.#turnedAway++;
    const nowMs = Date.now();
    if (nowMs - this.#reportedAtMs < REPORT_EVERY_MS) return;
    const message = `${this.#turnedAway} requests got no page in time; the last one: ${error.message}`;
    this.#onError(new SsrError('NG_SSR_OVERLOADED', message));
    this.#turnedAway = 0;
    this.#reportedAtMs = nowMs;
  }
}

/** Whether a render has got no slot: the server's own is tried again later. */
export function isWithoutSlot(error: unknown): boolean {
  return error instanceof SsrError && error.code === 'NG_SSR_OVERLOADED';
}
