import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SsrHandler } from '@ng-ssr/core/adapter';
import { answerFailure, sendAnswer } from './answer-failure.ts';
import type { SsrServer } from './listen.ts';
import { toExchange } from './node-exchange.ts';
import type { Hits } from './options.ts';
import { watchAnswer } from './watch-answer.ts';
import { writeAnswer } from './write-answer.ts';

/**
 * A framework's listener. Requests of node:http2's compatibility API have the members of node:http's, and
 * frameworks name only the types of these.
 */
export type NodeListener = (
  request: IncomingMessage,
  response: ServerResponse,
  next?: (error?: unknown) => void,
) => void;

/**
 * The request listener of a server: first probes, which must not depend on middleware such as a session
 * store; hits, with `before-middleware`; then the framework, whose answers to unsafe requests invalidate
 * stored pages. Errors are reported and answered: outside the listener they would end the process.
 *
 * @param framework - Takes requests that are not answered yet, and handles its asynchronous errors.
 */
export function frontDoor(
  handler: SsrHandler,
  hits: Hits,
  framework: NodeListener,
): SsrServer['reqHandler'] {
  return (request, response, next) => {
    try {
      const probe = handler.probe(request.method ?? 'GET', request.url ?? '/');
      if (probe instanceof Promise) {
        return void probe.then((answer) => sendAnswer(handler, request, response, answer));
      }
      const answer =
        probe ??
        (hits === 'before-middleware'
          ? handler.answer(toExchange(handler, request, response))
          : undefined);
      if (answer !== undefined) return writeAnswer(response, answer);
      watchAnswer(handler, request, response);
      framework(request as IncomingMessage, response as ServerResponse, next);
    } catch (cause) {
      answerFailure(handler, request, response, cause);
    }
  };
}
