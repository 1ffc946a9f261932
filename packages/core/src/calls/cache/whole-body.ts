import { SsrError } from '../../errors.ts';
import { joinChunks } from '../../join-chunks.ts';
import type { AskedCall, CallResponse } from '../asked-call.ts';
import { callError, tooLarge } from '../call-errors.ts';

/**
 * Reads the content of a response to its end.
 *
 * @throws SsrError `NG_SSR_CALL_TOO_LARGE`, `NG_SSR_CALL_FAILED`; the reason of the call's signal.
 */
export async function readWhole(
  { body }: CallResponse,
  call: AskedCall,
): Promise<Uint8Array<ArrayBuffer>> {
  const { maxBytes } = call.rule;
  if (!(body instanceof ReadableStream)) {
    if (body !== null && body.byteLength > maxBytes) throw tooLarge(call);
    return body ?? new Uint8Array();
  }
  const { signal } = call;
  const reader = body.getReader();
  const cancel = (): void => void reader.cancel(signal.reason).catch(() => {});
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    if (signal.aborted) cancel();
    for (;;) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return joinChunks(chunks, bytes);
      bytes += value.byteLength;
      if (bytes > maxBytes) {
        cancel();
        throw tooLarge(call);
      }
      chunks.push(value);
    }
  } catch (cause) {
    if (signal.aborted) throw signal.reason;
    if (cause instanceof SsrError) throw cause;
    throw callError('NG_SSR_CALL_FAILED', call, 'has lost its content', { cause });
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
