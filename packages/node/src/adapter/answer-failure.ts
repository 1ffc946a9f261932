import type { Answer, SsrHandler } from '@ng-ssr/core/adapter';
import { NodeExchange, type NodeRequest, type NodeResponse } from './node-exchange.ts';
import { http } from './node-http.ts';
import { writeAnswer } from './write-answer.ts';

/** As `writeAnswer`, but never throws: an answer that cannot be written becomes a failure. */
export function sendAnswer(
  handler: SsrHandler,
  request: NodeRequest,
  response: NodeResponse,
  answer: Answer,
): void {
  try {
    writeAnswer(response, answer);
  } catch (cause) {
    answerFailure(handler, request, response, cause);
  }
}

/**
 * Reports a failure and answers with a 500. Closes the connection where an answer has begun or none
 * can be written. Never throws.
 *
 * @param cause - The error of a route, of middleware, or of writing an answer.
 */
export function answerFailure(
  handler: SsrHandler,
  request: NodeRequest,
  response: NodeResponse,
  cause: unknown,
): void {
  const answer = handler.fail(new NodeExchange(request, response), cause);
  try {
    if (!response.headersSent) {
      // The reason phrase belongs to the earlier status, and may be the part that could not be written.
      if (response instanceof http.ServerResponse) response.statusMessage = '';
      return writeAnswer(response, answer);
    }
  } catch {
    // Another answer would fail in the same way: close the connection instead.
  }
  if (!response.writableEnded) response.destroy();
}
