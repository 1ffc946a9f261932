import type { UntaggedCall } from './call-request.ts';
import { messageOf } from '../../describe-error.ts';
import { SsrError, type SsrErrorCode } from '../../errors.ts';
import { shownUrl } from './shown-url.ts';

interface NamedCall {
  readonly method: string;
  readonly url: URL;
  /** Method and target of the page. */
  readonly page: string;
}

/** What has happened to a call, by the error that says it. */
const happenings = new WeakMap<SsrError, string>();

/** @param happened - The rest of the sentence: `took longer than 800 ms`. */
export function callError(
  code: Extract<SsrErrorCode, `NG_SSR_CALL_${string}`>,
  { method, url, page }: NamedCall,
  happened: string,
  options?: ErrorOptions,
): SsrError {
  const message = `${method} ${shownUrl(url)}, called by ${page}, ${happened}`;
  const error = new SsrError(code, message, options);
  happenings.set(error, happened);
  return error;
}

/**
 * The error of a call whose connection has failed. The error of `fetch` says nothing: programs look at its cause.
 *
 * @param happened - Default: the reason.
 */
export function connectionError(call: NamedCall, thrown: unknown, happened?: string): SsrError {
  const { cause = thrown } = (thrown ?? {}) as { cause?: unknown };
  return callError('NG_SSR_CALL_FAILED', call, happened ?? `failed: ${messageOf(cause)}`, {
    cause,
  });
}

/** The error of a call that several pages wait for, as one of them gets it. */
export function forCaller(error: unknown, call: NamedCall): unknown {
  const happened = error instanceof SsrError ? happenings.get(error) : undefined;
  if (happened === undefined) return error;
  const { code, cause } = error as SsrError & { readonly code: `NG_SSR_CALL_${string}` };
  return callError(code as Parameters<typeof callError>[0], call, happened, { cause });
}

/** The error of a call whose content is longer than its rule allows. */
export function tooLarge(call: NamedCall & Pick<UntaggedCall, 'rule'>): SsrError {
  const happened = `has a body of more than ${call.rule.maxBytes} bytes (maxBytes of its rule)`;
  return callError('NG_SSR_CALL_TOO_LARGE', call, happened);
}
