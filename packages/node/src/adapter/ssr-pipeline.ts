import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer, LargeFile, SsrHandler } from '@ng-ssr/core';
import sirv from 'sirv';
import { NodeExchange } from './node-exchange.ts';
import { setFields, writeAnswer } from './write-answer.ts';

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
  readonly #sendLargeFile: NodeMiddleware | undefined;

  constructor(
    handler: SsrHandler,
    requestContext: (request: IncomingMessage, response: ServerResponse) => unknown,
  ) {
    this.#handler = handler;
    this.#requestContext = requestContext;
    const { browserFolder, hasLargeFiles } = handler;
    // sirv reads the folder once, here, and is only asked for files that are known to be there.
    if (hasLargeFiles && browserFolder !== undefined) {
      this.#sendLargeFile = sirv(browserFolder, { etag: true, dotfiles: true });
    }
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
    if (file !== undefined) return this.#send(file, request, response, next);
    // A mount has taken its part off the URL; the application was built for the whole.
    const { originalUrl = request.url } = request as { originalUrl?: string };
    const whole = new NodeExchange(request, response, originalUrl);
    const answer = await this.#handler.render(whole, this.#requestContext(request, response));
    if (answer === undefined) next();
    else writeAnswer(response, answer);
  }

  #send(
    file: LargeFile | Answer,
    request: IncomingMessage,
    response: ServerResponse,
    next: () => void,
  ): void {
    if ('status' in file) return writeAnswer(response, file);
    setFields(response, file.headers);
    // sirv knows neither `bytes=-500` nor If-Range: it gets the range as the core has read it.
    const { range } = file;
    if (range === undefined) {
      delete request.headers.range;
    } else {
      request.headers.range = `bytes=${range.first}-${range.last}`;
      // A part is of the bytes as they are: compression in front of us must not code it again.
      request.headers['accept-encoding'] = 'identity';
    }
    this.#sendLargeFile?.(request, response, next);
  }
}
