import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Answer, check } from '@ng-ssr/core';
import {
  answerFailure,
  type Lane,
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
   * and `cause`, instead of being answered with our 500. `onError` hears of it either way.
   * Default: false.
   */
  readonly forwardErrors?: boolean | undefined;
}

/** What {@link ssrMiddleware} makes: a middleware, and the half of it that need not wait. */
export interface SsrMiddleware extends RequestHandler, SsrLifecycle {
  /**
   * Answers what is held and goes on with everything else. Optional: in front of the routes, it
   * keeps the cost of a hit independent of their number.
   */
  readonly held: RequestHandler;
}

/**
 * The middleware alone, for an app that is there already. Put it behind your routes; `next` is
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
export function ssrMiddleware(options: Omit<ExpressSsrOptions, 'lane'>): SsrMiddleware {
  const { handler, held, rest } = toHandlers(options);
  const middleware: RequestHandler = (request, response, next) =>
    held(request, response, () => rest(request, response, next));
  return Object.assign(middleware, { held, ...toLifecycle(handler) });
}

/** The request path in the two parts between which Express has its routes. */
export interface SsrHandlers {
  readonly handler: SsrHandler;
  readonly lane: Lane;
  /** Answers what is held, on the request of any server. */
  readonly held: (request: IncomingMessage, response: ServerResponse, next: () => void) => void;
  /** Sends a large file, or renders. */
  readonly rest: RequestHandler;
}

/** Checks the options and makes the handlers. */
export function toHandlers({ forwardErrors = false, ...options }: ExpressSsrOptions): SsrHandlers {
  check('forwardErrors', forwardErrors, typeof forwardErrors === 'boolean', 'true or false');
  const { lane, requestContext, ssr } = splitOptions(options, ['forwardErrors']);
  const handler = new SsrHandler(ssr);

  const held: SsrHandlers['held'] = (request, response, next) => {
    watchAnswer(handler, request, response);
    const exchange = toExchange(handler, request, response);
    let answer: Answer | undefined;
    try {
      answer = handler.answer(exchange);
    } catch (cause) {
      answer = handler.fail(exchange, cause); // An engine that does not start.
    }
    if (answer === undefined) next();
    else sendAnswer(handler, request, response, answer);
  };
  const render = async (request: Request, response: Response, next: NextFunction) => {
    const exchange = toExchange(handler, request, response);
    const answer = await handler.render(exchange, requestContext(request, response));
    if (answer === undefined) next();
    else if (forwardErrors && answer.error !== undefined) next(answer.error);
    else sendAnswer(handler, request, response, answer);
  };
  const rest: RequestHandler = (request, response, next) => {
    const file = handler.largeFile(toExchange(handler, request, response));
    if (file === undefined) return void render(request, response, next).catch(next);
    file
      .then((answer) => sendFile(response, answer))
      .catch((cause) => answerFailure(handler, request, response, cause));
  };
  return { handler, lane, held, rest };
}
