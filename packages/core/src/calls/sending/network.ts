import { SsrError } from '../../errors.ts';
import { runOutsideRender } from '../../render/render-scope.ts';
import type { AskedCall, SentResponse } from '../asked-call.ts';
import { callError, tooLarge } from '../call-errors.ts';

/** Fields that describe the content as it was sent; `fetch` has decoded it. */
const OF_THE_CODING = ['content-encoding', 'content-length', 'transfer-encoding'];

/** Sends a call with the runtime's `fetch`, which pools connections by origin. Redirects are answers: see redirects.ts. */
export async function sendToNetwork(call: AskedCall): Promise<SentResponse> {
  const { method, url, headers, body, signal } = call;
  let response: Response;
  try {
    response = await runOutsideRender(() =>
      globalThis.fetch(url.href, {
        ...{ method, headers, redirect: 'manual', signal, body },
        ...(body instanceof ReadableStream && { duplex: 'half' }),
      } as RequestInit),
    );
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    throw callError('NG_SSR_CALL_FAILED', call, `failed: ${describe(cause)}`, { cause });
  }
  return toSent(call, response);
}

/** The cause of an error of `fetch`, whose own message says nothing. */
function describe(error: unknown): string {
  const { cause = error } = (error ?? {}) as { cause?: unknown };
  return cause instanceof Error ? cause.message : String(cause);
}

/**
 * A response as plain data.
 *
 * @throws SsrError `NG_SSR_CALL_TOO_LARGE` if it announces more content than its rule allows.
 */
function toSent(call: AskedCall, response: Response): SentResponse {
  const { status, statusText, body, url } = response;
  const bytes = Number(response.headers.get('content-length') ?? 0);
  if (bytes > call.rule.maxBytes) {
    void body?.cancel().catch(() => {});
    throw tooLarge(call);
  }
  const headers = new Headers(response.headers);
  for (const name of OF_THE_CODING) headers.delete(name);
  return {
    ...{ status, statusText, headers },
    body: body as ReadableStream<Uint8Array> | null,
    url: url || call.url.href,
    isRedirected: false,
    pages: [],
  };
}

/** Whether a call may be sent again: the connection has failed, or a gateway has no answer now. */
export function mayRetry(outcome: SentResponse | unknown): boolean {
  if (outcome instanceof SsrError) return outcome.code === 'NG_SSR_CALL_FAILED';
  const { status } = outcome as Partial<SentResponse>;
  return status === 502 || status === 503 || status === 504;
}
