import { SsrError } from '../../../errors.ts';
import { reportingScope } from '../../../render/render-scope.ts';
import type { CallRequest, SentResponse } from '../call-request.ts';
import { connectionError, tooLarge } from '../call-errors.ts';

/** Sends calls with the runtime's `fetch`, which pools connections by origin. Redirects are answers: see redirects.ts. */
export class Network {
  /** Connections outlive the render whose call has opened them. */
  readonly #run: <T>(run: () => T) => T;

  constructor(onError: (error: SsrError) => void) {
    this.#run = reportingScope({
      name: 'a connection of calls',
      url: 'fetch',
      onUnhandled: onError,
    });
  }

  readonly send = async (call: CallRequest): Promise<SentResponse> => {
    const { method, url, headers, body, signal, cache, mode, referrer, referrerPolicy } = call;
    let response: Response;
    try {
      response = await this.#run(() =>
        globalThis.fetch(url.href, {
          ...{ method, headers, redirect: 'manual', signal, body, cache, referrerPolicy },
          // The headers are already those that this mode allows; those that a rule forwards are not.
          mode: mode === 'no-cors' ? 'cors' : mode,
          ...(referrer !== undefined && { referrer }),
          ...(body instanceof ReadableStream && { duplex: 'half' }),
        } as RequestInit),
      );
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw connectionError(call, error);
    }
    return toSent(call, response);
  };
}

/** @throws SsrError `NG_SSR_CALL_TOO_LARGE` if the response announces more content than its rule allows. */
function toSent(call: CallRequest, response: Response): SentResponse {
  const { status, statusText, headers, body, url } = response;
  const bytes = Number(headers.get('content-length') ?? 0);
  if (body !== null && bytes > call.rule.maxBytes) {
    void body.cancel().catch(() => {});
    throw tooLarge(call);
  }
  return {
    ...{ status, statusText, headers, isRedirected: false, pages: [] },
    body: body as ReadableStream<Uint8Array> | null,
    url: url || call.url.href,
  };
}

/** Whether a call may be sent again: the connection has failed, or a gateway has no answer now. */
export function mayRetry(outcome: SentResponse | unknown): boolean {
  if (outcome instanceof SsrError) return outcome.code === 'NG_SSR_CALL_FAILED';
  const { status } = outcome as Partial<SentResponse>;
  return status === 502 || status === 503 || status === 504;
}
