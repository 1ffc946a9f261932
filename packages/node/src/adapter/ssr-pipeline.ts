import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer, SsrHandler } from '@ng-ssr/core';
import { answerFailure } from './answer-failure.ts';
import { toExchange } from './node-exchange.ts';
import { sendFile } from './send-file.ts';
import { watchAnswer } from './watch-answer.ts';
import { writeAnswer } from './write-answer.ts';

/** A handler as node:http, Connect and Express know it. */
export type NodeMiddleware = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => unknown;

/**
 * The request path over raw Node responses, for frameworks that hand these to their middleware: held
 * bytes first, the rest when no route took the request.
 */
export class SsrPipeline {
  readonly #handler: SsrHandler;
  readonly #requestContext: (request: IncomingMessage, response: ServerResponse) => unknown;

  constructor(
    handler: SsrHandler,
    requestContext: (request: IncomingMessage, response: ServerResponse) => unknown,
  ) {
    this.#handler = handler;
    this.#requestContext = requestContext;
  }

  /** Answers from what is held. Synchronous; false when there is nothing. Never throws. */
  answer(request: IncomingMessage, response: ServerResponse): boolean {
    try {
      watchAnswer(this.#handler, request, response);
      const answer = this.#handler.answer(toExchange(this.#handler, request, response));
      if (answer === undefined) return false;
      writeAnswer(response, answer);
    } catch (cause) {
      answerFailure(this.#handler, request, response, cause);
    }
    return true;
  }

  /**
   * Sends a large file, or renders. Never rejects: what fails on the way, `next` included, is reported
   * and answered.
   *
   * @param next - Called when the path is nobody's.
   * @param methods - What the routes of the path have, for the Allow of a 405 (RFC 9110 section 10.2.1).
   */
  async complete(
    request: IncomingMessage,
    response: ServerResponse,
    next: () => void,
    methods: readonly string[] = [],
  ): Promise<void> {
    try {
      await this.#complete(request, response, next, methods);
    } catch (cause) {
      answerFailure(this.#handler, request, response, cause);
    }
  }

  async #complete(
    request: IncomingMessage,
    response: ServerResponse,
    next: () => void,
    methods: readonly string[],
  ): Promise<void> {
    const exchange = toExchange(this.#handler, request, response);
    const file = this.#handler.largeFile(exchange);
    if (file !== undefined) return sendFile(response, await file);
    const answer = await this.#handler.render(exchange, this.#requestContext(request, response));
    if (answer === undefined) next();
    else writeAnswer(response, allowAlso(answer, methods));
  }
}

/** A 405 that allows these methods too. */
function allowAlso(answer: Answer, methods: readonly string[]): Answer {
  if (answer.status !== 405 || methods.length === 0) return answer;
  const headers = answer.headers.map((value, at) =>
    answer.headers[at - 1] === 'Allow'
      ? [...new Set([...value.split(', '), ...methods])].join(', ')
      : value,
  );
  return { ...answer, headers };
}
