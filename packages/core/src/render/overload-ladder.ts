import { standIn } from '../built/stand-in.ts';
import type { ErrorPages } from '../error-pages/error-pages.ts';
import { SsrError, type SsrErrorCode } from '../errors.ts';
import type { Answer, Exchange } from '../exchange.ts';
import { withField } from '../http/header-list.ts';
import { type Resource, underStatus } from '../http/select.ts';
import { refuse } from '../refusal.ts';
import type { NonceFiller } from '../stored/nonce.ts';
import { channelOf, type ShedEvent } from '../telemetry/channels.ts';

/** Errors that say nothing about the page: it would have come with more time. */
const OVERLOAD: ReadonlySet<SsrErrorCode> = new Set<SsrErrorCode>([
  'NG_SSR_OVERLOADED',
  'NG_SSR_DEADLINE_PASSED',
  'NG_SSR_RENDER_TIMEOUT',
  'NG_SSR_WORKER_LOST',
]);

/** Fields of the shell as a file, which would let it be stored in the page's place. */
const OF_THE_FILE = new Set(['etag', 'last-modified', 'accept-ranges', 'cache-status']);

/** However many are turned away: one line in this time says so. */
const REPORT_EVERY_MS = 10_000;

/** Tells whoever listens that a request got something in place of its page. */
export function tellShed({ target }: Exchange, rung: ShedEvent['rung'], error: SsrError): void {
  if (sheds.hasSubscribers) sheds.publish({ target, rung, error: error.code });
}

const sheds = channelOf('ng-ssr:shed');

/** Whether a request may go down the ladder. */
export function isOverload(error: unknown): error is SsrError {
  return error instanceof SsrError && OVERLOAD.has(error.code);
}

/**
 * The lowest rungs: the shell, which the browser can still make the page of, and 503, with the error page
 * of the build where there is one.
 */
export class OverloadLadder {
  readonly #shell: Resource | undefined;
  readonly #errorPages: ErrorPages;
  readonly #nonce: NonceFiller | undefined;
  readonly #onError: (error: SsrError) => void;
  #turnedAway = 0;
  #reportedAtMs = 0;

  /** @param shell - The build's `index.csr.html`, where it has one. */
  constructor(
    shell: Resource | undefined,
    errorPages: ErrorPages,
    nonce: NonceFiller | undefined,
    onError: (error: SsrError) => void,
  ) {
    this.#shell = shell;
    this.#errorPages = errorPages;
    this.#nonce = nonce;
    this.#onError = onError;
  }

  answer(error: SsrError, exchange: Exchange, mayUseShell: boolean): Answer {
    this.#report(error);
    const shell =
      mayUseShell && this.#shell !== undefined
        ? standIn(this.#shell, this.#nonce, exchange)
        : undefined;
    tellShed(exchange, shell === undefined ? 'unavailable' : 'shell', error);
    if (shell === undefined) {
      const page = this.#errorPages.answer('NG_SSR_OVERLOADED', exchange);
      return page ?? refuse('NG_SSR_OVERLOADED', exchange.method);
    }
    const { headers, body } = shell;
    let fields: string[] = [];
    for (let i = 0; i < headers.length; i += 2) {
      if (!OF_THE_FILE.has(headers[i]!.toLowerCase())) fields.push(headers[i]!, headers[i + 1]!);
    }
    fields = withField(fields, 'Cache-Control', 'no-store');
    fields.push('Cache-Status', `ng-ssr; fwd=uri-miss; detail=shell-${error.code}`);
    return underStatus({ status: 200, headers: fields, body }, exchange.status, false);
  }

  /** A render that was given up is reported by itself: it names its route. */
  #report(error: SsrError): void {
    if (error.code !== 'NG_SSR_OVERLOADED' && error.code !== 'NG_SSR_DEADLINE_PASSED') {
      return this.#onError(error);
    }
    this.#turnedAway++;
    const nowMs = Date.now();
    if (nowMs - this.#reportedAtMs < REPORT_EVERY_MS) return;
    const message = `${this.#turnedAway} requests got no page in time, the last: ${error.message}`;
    this.#onError(new SsrError('NG_SSR_OVERLOADED', message));
    this.#turnedAway = 0;
    this.#reportedAtMs = nowMs;
  }
}
