import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SsrHandler } from '@ng-ssr/core';
import { writeAnswer } from './write-answer.ts';

/**
 * Answers a probe before anything else sees the request: an orchestrator's question must not depend
 * on the session store of some middleware.
 *
 * @returns false for what is no probe.
 */
export function answerProbe(
  handler: SsrHandler,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  const answer = handler.probe(request.method ?? 'GET', request.url ?? '/');
  if (answer === undefined) return false;
  writeAnswer(response, answer);
  return true;
}
