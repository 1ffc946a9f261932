import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SsrHandler } from '@ng-ssr/core';
import { NodeExchange } from './node-exchange.ts';
import { sendFile } from './send-file.ts';
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

  /** Answers from what is held. Synchronous; false when there is nothing. */
  answer(request: IncomingMessage, response: ServerResponse): boolean {
    const answer = this.#handler.answer(new NodeExchange(request, response));
    if (answer === undefined) return false;
    writeAnswer(response, answer);
    return true;
  }

  /**
   * Sends a large file, or renders.
   *
   * @param next - Called when the path is nobody's.
   */
  async complete(
    request: IncomingMessage,
    response: ServerResponse,
    next: () => void,
  ): Promise<void> {
    const exchange = new NodeExchange(request, response);
    const file = this.#handler.largeFile(exchange);
    if (file !== undefined) return sendFile(response, await file);
    // A mount has taken its part off the URL; the application was built for the whole.
    const { originalUrl = request.url } = request as { originalUrl?: string };
    const whole = new NodeExchange(request, response, originalUrl);
    const answer = await this.#handler.render(whole, this.#requestContext(request, response));
    if (answer === undefined) next();
    else writeAnswer(response, answer);
  }
}
