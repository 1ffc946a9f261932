import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer, StreamedAnswer, SsrHandler } from '@ng-ssr/core/adapter';
import { answerFailure, sendAnswer } from './write-answer.ts';
import {
  keepParsed,
  type NodeExchange,
  type NodeRequest,
  type NodeResponse,
  takeParsed,
  toExchange,
} from './node-exchange.ts';
import { sendStreamed } from './send-streamed.ts';
import { watchAnswer, watchUnsafe } from './watch-answer.ts';

/** A middleware for node:http, Connect and Express. */
export type NodeMiddleware = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => unknown;

/** What becomes of failed renders. */
export interface FailureOptions {
  /** Whether failed renders go to `fail` too, instead of being answered. Default: false. */
  readonly forwardErrors?: boolean | undefined;
  /** Gets errors of `requestContext` and `next`. Default: a 500, and a report to `onError`. */
  readonly fail?: ((cause: unknown, next: (error?: unknown) => void) => void) | undefined;
}

/**
 * The request path over raw Node responses, for frameworks whose middleware gets these, in two halves:
 * `answer` before the routes, `render` when no route has taken the request. `run` is both.
 */
export class SsrPipeline<
  Request extends IncomingMessage = IncomingMessage,
  Response extends ServerResponse = ServerResponse,
> {
  readonly #handler: SsrHandler;
  readonly #requestContext: (request: Request, response: Response) => unknown;
  readonly #failures: FailureOptions;
  readonly #watch: typeof watchAnswer;
  /** Whether requests may have come through `answer` when they come to `run`. */
  #isAnswering = false;

  /** @param isListened - Whether all requests come through a request listener of the handler. */
  constructor(
    handler: SsrHandler,
    requestContext: (request: Request, response: Response) => unknown,
    failures: FailureOptions = {},
    isListened = false,
  ) {
    this.#handler = handler;
    this.#requestContext = requestContext;
    this.#failures = failures;
    this.#watch = isListened ? watchUnsafe : watchAnswer;
  }

  /** Answers a hit, synchronously; false when the request is none. Never throws. */
  answer(request: NodeRequest, response: NodeResponse): boolean {
    this.#isAnswering = true;
    const exchange = this.#answer(request, response, false);
    if (exchange === undefined) return true;
    keepParsed(exchange);
    return false;
  }

  /** `answer`, and then `render` at once: no route has the request in between. Never throws. */
  run(request: Request, response: Response, next: (error?: unknown) => void): void {
    const exchange = this.#answer(request, response, this.#isAnswering);
    if (exchange !== undefined) void this.#complete(exchange, request, response, next);
  }

  /** Answers a hit; returns the exchange of a request that is none. Never throws. */
  #answer(
    request: NodeRequest,
    response: NodeResponse,
    isAgain: boolean,
  ): NodeExchange | undefined {
    try {
      this.#watch(this.#handler, request, response);
      const exchange = toExchange(this.#handler, request, response);
      const answer = this.#handler.answer(isAgain ? takeParsed(exchange) : exchange);
      if (answer === undefined) return exchange;
      sendAnswer(this.#handler, request, response, answer);
    } catch (cause) {
      answerFailure(this.#handler, request, response, cause);
    }
    return undefined;
  }

  /**
   * Sends a large file, or renders. Never rejects: failures, also of `next`, are reported and answered.
   *
   * @param next - Called when the application does not have the path.
   * @param methodsOf - Returns the methods of the path's routes, for the Allow of a 405 (RFC 9110 section 10.2.1).
   * Called only for such an answer.
   */
  async render(
    request: Request,
    response: Response,
    next: (error?: unknown) => void,
    methodsOf?: () => readonly string[],
  ): Promise<void> {
    let exchange: NodeExchange;
    try {
      exchange = takeParsed(toExchange(this.#handler, request, response));
    } catch (cause) {
      return this.#fail(request, response, next, cause);
    }
    return this.#complete(exchange, request, response, next, methodsOf);
  }

  async #complete(
    exchange: NodeExchange,
    request: Request,
    response: Response,
    next: (error?: unknown) => void,
    methodsOf?: () => readonly string[],
  ): Promise<void> {
    try {
      const file = this.#handler.largeFile(exchange);
      if (file === undefined) await this.#render(exchange, request, response, next, methodsOf);
      else this.#send(await file, request, response);
    } catch (cause) {
      this.#fail(request, response, next, cause);
    }
  }

  #fail(
    request: Request,
    response: Response,
    next: (error?: unknown) => void,
    cause: unknown,
  ): void {
    const { fail } = this.#failures;
    try {
      if (fail !== undefined) return fail(cause, next);
    } catch {
      // The framework could not answer either.
    }
    answerFailure(this.#handler, request, response, cause);
  }

  #send(answer: Answer | StreamedAnswer, request: Request, response: Response): void {
    try {
      sendStreamed(response, answer);
    } catch (cause) {
      answerFailure(this.#handler, request, response, cause);
    }
  }

  async #render(
    exchange: NodeExchange,
    request: Request,
    response: Response,
    next: (error?: unknown) => void,
    methodsOf: (() => readonly string[]) | undefined,
  ): Promise<void> {
    const answer = await this.#handler.complete(exchange, this.#requestContext(request, response));
    const { forwardErrors = false, fail } = this.#failures;
    if (answer === undefined) {
      keepParsed(exchange);
      next();
    } else if (forwardErrors && 'error' in answer && answer.error !== undefined) {
      fail?.(answer.error, next);
    } else {
      const methods = answer.status === 405 ? methodsOf?.() : undefined;
      const sent = methods?.length ? allowAlso(answer, methods) : answer;
      this.#send(sent, request, response);
    }
  }
}

/** Adds methods to the Allow of a 405. */
function allowAlso<Sent extends Answer | StreamedAnswer>(
  answer: Sent,
  methods: readonly string[],
): Sent {
  const headers = answer.headers.map((value, at) =>
    answer.headers[at - 1] === 'Allow'
      ? [...new Set([...value.split(', '), ...methods])].join(', ')
      : value,
  );
  return { ...answer, headers };
}
