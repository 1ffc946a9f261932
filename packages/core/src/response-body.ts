/** Found by its name, since a program may contain this module twice. */
const WHOLE = Symbol.for('ng-ssr.whole-body');

/**
 * A response whose content is complete when the response is: the server takes it without a stream, and any other
 * reader finds it in the body.
 *
 * @param content - Not changed any more. The server may transfer its ArrayBuffer to another thread.
 * @param init - Status and headers.
 */
export function createWholeResponse(
  content: Uint8Array<ArrayBuffer>,
  init: ResponseInit,
): Response {
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        controller.enqueue(new Uint8Array(content));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return Object.defineProperty(new Response(body, init), WHOLE, { value: content });
}

/** The content of a response made by {@link createWholeResponse} that has not been read; undefined for others. */
export function wholeContentOf(response: Response): Uint8Array<ArrayBuffer> | undefined {
  const content = (response as { [WHOLE]?: Uint8Array<ArrayBuffer> })[WHOLE];
  return content === undefined || response.bodyUsed ? undefined : content;
}

/**
 * Reads a stream to its end, into an ArrayBuffer of its own, which can be transferred to another thread.
 *
 * @param tooLong - The error for content of more than `maxBytes`.
 * @throws the reason of the signal; TypeError for a chunk that is no Uint8Array; what the stream fails with.
 */
export async function readStream(
  stream: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  maxBytes: number,
  tooLong: () => Error,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = stream.getReader();
  const cancel = (): void => {
    // The stream's source may fail to stop.
    reader.cancel(signal.reason).catch(() => {});
  };
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    if (signal.aborted) cancel();
    for (;;) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return join(chunks, bytes);
      if (!(value instanceof Uint8Array))
        throw new TypeError('the body contains a chunk that is not a Uint8Array');
      bytes += value.byteLength;
      if (bytes > maxBytes) {
        cancel();
        throw tooLong();
      }
      chunks.push(value);
    }
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

function join(chunks: readonly Uint8Array[], bytes: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}
