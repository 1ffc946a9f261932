/**
 * A stream of Node as one of the web. In place of `Readable.toWeb`, which throws outside of every handler, and so ends
 * the process, when a stream that was cancelled still has content to give.
 */
export function toWebStream(
  readable: AsyncIterable<unknown> & {
    destroy(error?: Error): unknown;
    on(event: 'error', listener: () => void): unknown;
  },
): ReadableStream<Uint8Array> {
  // Before the first read the iterator does not listen yet; it gets the error then.
  readable.on('error', () => undefined);
  const iterator = readable[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await iterator.next();
        if (done) controller.close();
        // A copy is detached from the pool, which other content shares.
        else controller.enqueue(new Uint8Array(value as Uint8Array));
      },
      cancel: (reason) => void readable.destroy(reason instanceof Error ? reason : undefined),
    },
    { highWaterMark: 0 },
  );
}
