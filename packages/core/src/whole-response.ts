/** Found by its name, since a program may contain this module twice. */
const WHOLE = Symbol.for('ng-ssr.whole-body');

/**
 * A response whose content is complete when the response is: the server takes it without a stream, and any other
 * reader finds it in the body.
 *
 * @param content - Not changed any more. The server may transfer its ArrayBuffer to another thread.
 * @param init - Status and fields.
 */
export function createWholeResponse(
  content: Uint8Array<ArrayBuffer>,
  init: ResponseInit,
): Response {
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        controller.enqueue(content.slice());
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
