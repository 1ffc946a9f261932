import type { RenderErrors } from './render-errors.ts';

/** The same response; its body errors at the end if the render has failed by then. */
export function failWith(
  errors: RenderErrors,
  response: Response,
  content: ReadableStream<Uint8Array>,
): Response {
  const reader = content.getReader();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        errors.end();
        controller.close();
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return new Response(body, response);
}
