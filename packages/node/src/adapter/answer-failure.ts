import {
  type Answer,
  type Exchange,
  type SsrHandler,
  UNREADABLE_REQUEST,
} from '@ng-ssr/core/adapter';
import { isOfHttp2 } from './http2-requests.ts';
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
 * can be written. Never throws, even if members of the request or the response throw when they are read.
 *
 * @param cause - The error of a route, of middleware, or of writing an answer.
 */
export function answerFailure(
  handler: SsrHandler,
  request: NodeRequest,
  response: NodeResponse,
  cause: unknown,
): void {
  const answer = handler.fail(exchangeOf(request, response), cause);
  try {
    if (!response.headersSent) {
      // The reason phrase belongs to the earlier status, and may be the part that could not be written.
      const hasReason = response instanceof http.ServerResponse && !isOfHttp2(request);
      if (hasReason) response.statusMessage = '';
      return writeAnswer(response, answer);
    }
  } catch {
    // Another answer would fail in the same way: close the connection instead.
  }
  close(request, response);
}

function exchangeOf(request: NodeRequest, response: NodeResponse): Exchange {
  try {
    return new NodeExchange(request, response);
  } catch {
    return UNREADABLE_REQUEST;
  }
}

/** Closes the connection of a response that is not complete. */
function close(request: NodeRequest, response: NodeResponse): void {
  try {
    if (!response.writableEnded) response.destroy();
  } catch {
    try {
      request.socket.destroy();
    } catch {
      // Neither can be used: the timeouts of the server end the connection.
    }
  }
}
