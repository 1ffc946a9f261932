import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer, SsrHandler } from '@ng-ssr/core';
import { answerFailure } from './answer-failure.ts';
import { type NodeExchange, toExchange } from './node-exchange.ts';
import { sendFile } from './send-file.ts';
import { watchAnswer } from './watch-answer.ts';
import { writeAnswer } from './write-answer.ts';

/** A middleware for node:http, Connect and Express. */
export type NodeMiddleware = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => unknown;

/**
 * The request path over raw Node responses, for frameworks whose middleware gets these: held bytes
 * first, the rest when no route has taken the request.
 */
export class SsrPipeline {
  readonly #handler: SsrHandler;
  readonly #requestContext: (request: IncomingMessage, response: ServerResponse) => unknown;
  /** The exchanges of requests that `answer` has not answered. */
  readonly #read = new WeakMap<IncomingMessage, NodeExchange>();

  constructor(
    handler: SsrHandler,
    requestContext: (request: IncomingMessage, response: ServerResponse) => unknown,
  ) {
    this.#handler = handler;
    this.#requestContext = requestContext;
  }

  /** Answers from held bytes, synchronously; false when there are none. Never throws. */
  answer(request: IncomingMessage, response: ServerResponse): boolean {
    try {
      watchAnswer(this.#handler, request, response);
      const exchange = toExchange(this.#handler, request, response);
      const answer = this.#handler.answer(exchange);
      if (answer === undefined) {
        this.#read.set(request, exchange);
        return false;
      }
      writeAnswer(response, answer);
    } catch (cause) {
      answerFailure(this.#handler, request, response, cause);
    }
    return true;
  }

  /**
   * Sends a large file, or renders. Never rejects: failures, also of `next`, are reported and answered.
   *
   * @param next - Called when the application does not have the path.
   * @param methods - Methods of the path's routes, for the Allow of a 405 (RFC 9110 section 10.2.1).
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

  /** A route may rewrite the request and look it up again: its exchange is then another. */
  #exchangeOf(request: IncomingMessage, response: ServerResponse): NodeExchange {
    const read = this.#read.get(request);
    const { method, url } = request;
    const isSame = read !== undefined && read.method === method && read.targetBelowMount === url;
    return isSame ? read : toExchange(this.#handler, request, response);
  }

  async #complete(
    request: IncomingMessage,
    response: ServerResponse,
    next: () => void,
    methods: readonly string[],
  ): Promise<void> {
    const exchange = this.#exchangeOf(request, response);
    const file = this.#handler.largeFile(exchange);
    if (file !== undefined) return sendFile(response, await file);
    const answer = await this.#handler.render(exchange, this.#requestContext(request, response));
    if (answer === undefined) next();
    else writeAnswer(response, allowAlso(answer, methods));
  }
}

/** Adds methods to the Allow of a 405; returns other answers unchanged. */
function allowAlso(answer: Answer, methods: readonly string[]): Answer {
  if (answer.status !== 405 || methods.length === 0) return answer;
  const headers = answer.headers.map((value, at) =>
    answer.headers[at - 1] === 'Allow'
      ? [...new Set([...value.split(', '), ...methods])].join(', ')
      : value,
  );
  return { ...answer, headers };
}
