import { SsrError } from '../../../errors.ts';
import { readStream } from '../../../response-body.ts';
import type { CallRequest, CallResponse } from '../call-request.ts';
import { connectionError, tooLarge } from '../call-errors.ts';

/**
 * Reads the content of a response to its end.
 *
 * @throws SsrError `NG_SSR_CALL_TOO_LARGE`, `NG_SSR_CALL_FAILED`; the reason of the call's signal.
 */
export async function readWhole(
  { body }: CallResponse,
  call: CallRequest,
): Promise<Uint8Array<ArrayBuffer>> {
  const { maxBytes } = call.rule;
  if (!(body instanceof ReadableStream)) {
    if (body !== null && body.byteLength > maxBytes) throw tooLarge(call);
    return body ?? new Uint8Array();
  }
  const { signal } = call;
  try {
    return await readStream(body, signal, maxBytes, () => tooLarge(call));
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    if (cause instanceof SsrError) throw cause;
    throw connectionError(call, cause, 'ended before its content was complete');
  }
}
