import { SsrError, type SsrErrorCode } from '../../../errors.ts';
import type { UntaggedCall } from '../call-request.ts';
import { callError } from '../call-errors.ts';

/** Failures of an API or of the way to it. Others are a page's own: it has ended, or has aborted the call. */
const FAILURES: ReadonlySet<SsrErrorCode> = new Set<SsrErrorCode>([
  'NG_SSR_CALL_FAILED',
  'NG_SSR_CALL_TIMEOUT',
  'NG_SSR_CALL_OVERLOADED',
  'NG_SSR_CALL_TOO_LARGE',
]);

/** Patterns are the server's own; calls without a rule count as one. */
const MOST_REPORTED = 100;

/**
 * Reports the first failure of each kind for a rule. A page that shows something else in place of the data hides it:
 * no error of the page is reported, and the page may be stored.
 */
export class FailedCalls {
  readonly #report: (error: SsrError) => void;
  readonly #reported = new Set<string>();

  constructor(report: (error: SsrError) => void) {
    this.#report = report;
  }

  /** @param thrown - What the call has been rejected with; undefined with a response. */
  note(call: UntaggedCall, status: number | undefined, thrown: unknown): void {
    const error = failureOf(call, status, thrown);
    if (error === undefined) return;
    const { code, message, cause } = error;
    const { pattern } = call.rule;
    const kind = `${code} ${pattern}`;
    if (this.#reported.has(kind) || this.#reported.size >= MOST_REPORTED) return;
    this.#reported.add(kind);
    const rule = pattern === '' ? 'calls without a rule' : `withCalls[${JSON.stringify(pattern)}]`;
    this.#report(new SsrError(code, `${message}. This is reported once for ${rule}`, { cause }));
  }
}

function failureOf(
  call: UntaggedCall,
  status: number | undefined,
  thrown: unknown,
): SsrError | undefined {
  if (thrown instanceof SsrError && FAILURES.has(thrown.code)) return thrown;
  if (status === undefined || status < 500) return undefined;
  return callError('NG_SSR_CALL_FAILED', call, `failed with status ${status}`);
}
