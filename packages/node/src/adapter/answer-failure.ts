import { ServerResponse } from 'node:http';
import type { Answer, SsrHandler } from '@ng-ssr/core';
import { NodeExchange, type NodeRequest, type NodeResponse } from './node-exchange.ts';
import { writeAnswer } from './write-answer.ts';

/** `writeAnswer` where nothing may be thrown: an answer that cannot be written is a failure. */
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
 * Reports a failure and answers with a 500; where an answer has begun, or cannot be written at all,
 * its connection is closed. Never throws.
 *
 * @param cause - What was thrown by a route, by middleware, or while an answer was written.
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
      // The reason phrase belongs to another status, and it may be what could not be written.
      if (response instanceof ServerResponse) response.statusMessage = '';
      return writeAnswer(response, answer);
    }
  } catch {
    // What stands in the way of one answer stands in the way of the next.
  }
  if (!response.writableEnded) response.destroy();
}
