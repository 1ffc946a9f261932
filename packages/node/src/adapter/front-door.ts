import type { SsrHandler } from '@ng-ssr/core';
import { answerFailure, sendAnswer } from './answer-failure.ts';
import type { SsrServer } from './listen.ts';
import { toExchange } from './node-exchange.ts';
import type { Lane } from './options.ts';
import { watchAnswer } from './watch-answer.ts';
import { writeAnswer } from './write-answer.ts';

/**
 * The request listener of a server: probes first, since an orchestrator's question must not depend on
 * the session store of some middleware; in the `front` lane hits; then the framework, whose answers
 * to unsafe requests invalidate stored pages. What is thrown on the way is reported and answered:
 * outside the listener it would end the process.
 *
 * @param framework - Takes what is not answered yet; what it throws asynchronously is its own.
 */
export function frontDoor(
  handler: SsrHandler,
  lane: Lane,
  framework: SsrServer['reqHandler'],
): SsrServer['reqHandler'] {
  return (request, response, next) => {
    try {
      const probe = handler.probe(request.method ?? 'GET', request.url ?? '/');
      if (probe instanceof Promise) {
        return void probe.then((answer) => sendAnswer(handler, request, response, answer));
      }
      const answer =
        probe ??
        (lane === 'front' ? handler.answer(toExchange(handler, request, response)) : undefined);
      if (answer !== undefined) return writeAnswer(response, answer);
      watchAnswer(handler, request, response);
      framework(request, response, next);
    } catch (cause) {
      answerFailure(handler, request, response, cause);
    }
  };
}
