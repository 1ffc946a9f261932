import type { RenderOutcome } from './protocol.ts';

/**
 * The response that the suite's engine has rendered, or the error that it has thrown.
 *
 * @throws Error as the engine did, or what else it threw.
 */
export function toResponse(outcome: RenderOutcome): Response | null {
  switch (outcome.kind) {
    case 'null':
      return null;
    case 'failure':
      throw outcome.message === undefined ? undefined : new Error(outcome.message);
    case 'response': {
      const { status, headers, body, failure } = outcome;
      const bytes = Buffer.from(body, 'base64');
      if (failure === undefined) {
        return new Response(bytes.length > 0 ? bytes : null, { status, headers });
      }
      const stream = new ReadableStream({
        pull(controller) {
          controller.enqueue(bytes);
          controller.error(new Error(failure));
        },
      });
      return new Response(stream, { status, headers });
    }
  }
}
