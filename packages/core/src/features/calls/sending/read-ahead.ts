import type { CallRequest } from '../call-request.ts';
import { tooLarge } from '../call-errors.ts';

/**
 * The content of a response, taken from the API as it arrives, up to `maxBytes` of the rule: the caller may read it late or
 * not at all, and may wait for a call that needs the place of this one.
 *
 * @param onEnd - Called once, when the API has sent all, or has been told to stop.
 */
export function readAhead(
  call: CallRequest,
  body: ReadableStream<Uint8Array>,
  onEnd: () => void,
): ReadableStream<Uint8Array> {
  const { signal } = call;
  const reader = body.getReader();
  const stop = (reason: unknown): void => {
    // Runtimes keep the signal of a request longer than the request.
    signal.removeEventListener('abort', abort);
    reader.cancel(reason).catch(() => {});
    onEnd();
  };
  const abort = (): void => stop(signal.reason);
  return new ReadableStream<Uint8Array>({
    start: (stream) => {
      if (signal.aborted) abort();
      else signal.addEventListener('abort', abort);
      void readInto(stream, reader, call).then(stop, (error: unknown) => {
        stop(error);
        stream.error(signal.aborted ? signal.reason : error);
      });
    },
    cancel: stop,
  });
}

async function readInto(
  stream: ReadableStreamDefaultController<Uint8Array>,
  reader: ReadableStreamDefaultReader<Uint8Array>,
  call: CallRequest,
): Promise<void> {
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    call.signal.throwIfAborted();
    if (done) return stream.close();
    bytes += value.byteLength;
    if (bytes > call.rule.maxBytes) throw tooLarge(call);
    stream.enqueue(value);
  }
}
