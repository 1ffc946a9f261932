import { flag } from '@ng-ssr/core/adapter';
import {
  type FailureOptions,
  type Hits,
  type NodeListener,
  type AdapterOptions,
  splitOptions,
  SsrHandler,
  type SsrLifecycle,
  SsrPipeline,
  toLifecycle,
  toRoutes,
} from '@ng-ssr/node/adapter';
import type { Application, Request, RequestHandler, Response } from 'express';

/** Options of Express's server and middleware. */
export interface ExpressSsrOptions extends AdapterOptions<[Request, Response]> {
  /**
   * Whether a failed render goes to Express's error-handling middleware, as an SsrError with `code`
   * and `cause`, instead of being answered with a 500. `onError` is called either way. Default: false.
   */
  readonly forwardErrors?: boolean | undefined;
}

/** The result of {@link ssrMiddleware}: a middleware, and its synchronous half. */
export interface SsrMiddleware extends RequestHandler, SsrLifecycle {
  /**
   * Answers hits, and passes on all other requests. Optional: before the routes, it keeps the cost of
   * a hit independent of their number; and when a route answers an unsafe request (POST, PUT, DELETE,
   * ...) with 2xx or 3xx, the stored pages of its path are removed (RFC 9111 section 4.4).
   */
  readonly answer: RequestHandler;
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
 * app.use(ssr.answer); // Optional.
 * app.get('/api/time', (req, res) => res.json({ now: Date.now() }));
 * app.use(ssr);
 * shutDownOnSignals(app.listen(4000), ssr);
 * ```
 */
export function ssrMiddleware(options: Omit<ExpressSsrOptions, 'hits'>): SsrMiddleware {
  const { handler, routes, answer, run } = toHandlers(options);
  if (routes !== undefined) handler.useRoutes(toRoutes(routes));
  const middleware: RequestHandler = (request, response, next) => {
    if (!handler.hasRoutes) handler.useRoutes(toRoutes(outermost(request.app)));
    run(request, response, next);
  };
  return Object.assign(middleware, { answer, ...toLifecycle(handler) });
}

/** The app that gets the requests of a mounted app. */
function outermost(app: Application): Application {
  const { parent } = app as { readonly parent?: Application };
  return parent === undefined ? app : outermost(parent);
}

/** The request path in two halves; Express runs its routes between them. */
export interface SsrHandlers {
  readonly handler: SsrHandler;
  readonly hits: Hits;
  readonly routes: NodeListener | undefined;
  /** Answers hits. */
  readonly answer: RequestHandler;
  /** Sends a large file, or renders. */
  readonly render: RequestHandler;
  /** Both halves, where no route is between them. */
  readonly run: RequestHandler;
}

/**
 * Checks the options and makes the handlers.
 *
 * @param isListened - Whether all requests come through a request listener.
 */
export function toHandlers(given: ExpressSsrOptions, isListened = false): SsrHandlers {
  const { hits, routes, requestContext, ssr, forwardErrors } = splitOptions<
    [Request, Response],
    { forwardErrors: boolean }
  >(given, {
    forwardErrors: flag(false),
  });
  const handler = new SsrHandler(ssr);
  const failures: FailureOptions = { forwardErrors, fail: (cause, next) => next(cause) };
  const pipeline = new SsrPipeline<Request, Response>(
    handler,
    requestContext,
    failures,
    isListened,
  );
  return {
    handler,
    hits,
    routes,
    answer: (request, response, next) => {
      if (!pipeline.answer(request, response)) next();
    },
    render: (request, response, next) => void pipeline.render(request, response, next),
    run: (request, response, next) => pipeline.run(request, response, next),
  };
}
