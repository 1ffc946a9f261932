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
