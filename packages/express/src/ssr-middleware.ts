import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Answer, check } from '@ng-ssr/core';
import {
  answerFailure,
  type Hits,
  type NodeExchange,
  sendAnswer,
  type NodeSsrOptions,
  sendFile,
  splitOptions,
  SsrHandler,
  type SsrLifecycle,
  toExchange,
  toLifecycle,
  watchAnswer,
} from '@ng-ssr/node/adapter';
import type { NextFunction, Request, RequestHandler, Response } from 'express';

/** Options of Express's server and middleware. */
export interface ExpressSsrOptions extends NodeSsrOptions<[Request, Response]> {
  /**
   * Whether a failed render goes to Express's error-handling middleware, as an SsrError with `code`
   * and `cause`, instead of being answered with a 500. `onError` is called either way. Default: false.
   */
  readonly forwardErrors?: boolean | undefined;
}

/** The result of {@link ssrMiddleware}: a middleware, and its synchronous half. */
export interface SsrMiddleware extends RequestHandler, SsrLifecycle {
  /**
   * Answers from held bytes, and passes on all other requests. Optional: before the routes, it
   * keeps the cost of a hit independent of their number.
   */
  readonly held: RequestHandler;
}

/**
 * The middleware alone, for an existing app. Put it after your routes; `next` is
 * called for paths that the application does not have. Mounted below a path, as in
 * `app.use('/shop', ...)`, it finds built files by the path below it, and the application sees the
 * whole URL: build it with `"baseHref": "/shop/"`.
 *
 * @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN`, `NG_SSR_INDEX_FAILED`
 * @example
 * ```ts
 * const ssr = ssrMiddleware({ engine: appEngine(), allowedHosts: ['shop.example'] });
 * app.use(ssr.held); // Optional.
 * app.get('/api/time', (req, res) => res.json({ now: Date.now() }));
 * app.use(ssr);
 * shutDownOnSignals(app.listen(4000), ssr);
 * ```
 */
export function ssrMiddleware(options: Omit<ExpressSsrOptions, 'hits'>): SsrMiddleware {
  const { handler, held, begin, complete } = toHandlers(options);
  const middleware: RequestHandler = (request, response, next) => {
    const exchange = begin(request, response);
    if (exchange !== undefined) complete(request, response, next, exchange);
  };
  return Object.assign(middleware, { held, ...toLifecycle(handler) });
}

/** The request path in two parts; Express runs its routes between them. */
export interface SsrHandlers {
  readonly handler: SsrHandler;
  readonly hits: Hits;
  /** Answers from held bytes; takes the request of any server. */
  readonly held: (request: IncomingMessage, response: ServerResponse, next: () => void) => void;
  /** Sends a large file, or renders. */
  readonly rest: RequestHandler;
  /** As `held`, but returns the exchange of a request that it has not answered. */
  readonly begin: (request: IncomingMessage, response: ServerResponse) => NodeExchange | undefined;
  /** As `rest`, for a request that is unchanged since `begin`. */
  readonly complete: (
    request: Request,
    response: Response,
    next: NextFunction,
    exchange: NodeExchange,
  ) => void;
}

/** Checks the options and makes the handlers. */
export function toHandlers({ forwardErrors = false, ...options }: ExpressSsrOptions): SsrHandlers {
  check('forwardErrors', forwardErrors, typeof forwardErrors === 'boolean', 'true or false');
  const { hits, requestContext, ssr } = splitOptions(options, ['forwardErrors']);
  const handler = new SsrHandler(ssr);

  const begin: SsrHandlers['begin'] = (request, response) => {
    watchAnswer(handler, request, response);
    const exchange = toExchange(handler, request, response);
    let answer: Answer | undefined;
    try {
      answer = handler.answer(exchange);
    } catch (cause) {
      answer = handler.fail(exchange, cause); // The engine does not start.
    }
    if (answer === undefined) return exchange;
    sendAnswer(handler, request, response, answer);
    return undefined;
  };
  const render = async (
    request: Request,
    response: Response,
    next: NextFunction,
    exchange: NodeExchange,
  ) => {
    const answer = await handler.render(exchange, requestContext(request, response));
    if (answer === undefined) next();
    else if (forwardErrors && answer.error !== undefined) next(answer.error);
    else sendAnswer(handler, request, response, answer);
  };
  const complete: SsrHandlers['complete'] = (request, response, next, exchange) => {
    const file = handler.largeFile(exchange);
    if (file === undefined) return void render(request, response, next, exchange).catch(next);
    file
      .then((answer) => sendFile(response, answer))
      .catch((cause) => answerFailure(handler, request, response, cause));
  };
  const held: SsrHandlers['held'] = (request, response, next) => {
    if (begin(request, response) !== undefined) next();
  };
  const rest: RequestHandler = (request, response, next) =>
    complete(request, response, next, toExchange(handler, request, response));
  return { handler, hits, held, rest, begin, complete };
}
