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
} from '@ng-ssr/node/adapter';
import type { Application, Request, RequestHandler, Response } from 'express';

/** Options of Express's server and middleware. */
export interface ExpressSsrOptions extends AdapterOptions<[Request, Response]> {
  /** Passes failed renders to Express's error middleware as SsrError, instead of a 500. Default: false. */
  readonly forwardErrors?: boolean | undefined;
}

/** The result of {@link ssrMiddleware}: the middleware, and its synchronous part `answer`. */
export interface SsrMiddleware extends RequestHandler, SsrLifecycle {
  /**
   * Serves cached pages and files, and calls `next` for other requests. Optional. Place it before your routes to save
   * their cost, and to remove cached pages after a POST, PUT, PATCH or DELETE to their path (RFC 9111 section 4.4).
   */
  readonly answer: RequestHandler;
}

/**
 * Creates a middleware for an existing app. Put it after your routes. It calls `next` for paths that the application
 * does not have. Below a path, as in `app.use('/shop', ssr)`, built files are found by the path below it, and the
 * application sees the whole URL: build it with `"baseHref": "/shop/"`.
 *
 * @param options - As for {@link createExpressSsrServer}, without `serveHits`.
 * @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN`, `NG_SSR_BROWSER_FOLDER_MISSING`,
 * `NG_SSR_INDEX_FAILED`, `NG_SSR_FEATURE_FAILED`, `NG_SSR_PLATFORM_INVALID`
 * @example
 * ```ts
 * const ssr = ssrMiddleware({ engine: appEngine(), allowedHosts: ['shop.example'] });
 * app.use(ssr.answer); // Optional.
 * app.get('/api/time', (req, res) => res.json({ now: Date.now() }));
 * app.use(ssr);
 * shutDownOnSignals(app.listen(4000), ssr);
 * ```
 */
export function ssrMiddleware(options: Omit<ExpressSsrOptions, 'serveHits'>): SsrMiddleware {
  const { handler, routes, answer, run } = toHandlers(options);
  if (routes !== undefined) handler.useListener(routes);
  const middleware: RequestHandler = (request, response, next) => {
    if (!handler.hasRoutes) handler.useListener(outermost(request.app));
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
  readonly serveHits: Hits;
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
  const { serveHits, routes, requestContext, ssr, forwardErrors } = splitOptions<
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
    serveHits,
    routes,
    answer: (request, response, next) => {
      if (!pipeline.answer(request, response)) next();
    },
    render: (request, response, next) => void pipeline.render(request, response, next),
    run: (request, response, next) => pipeline.run(request, response, next),
  };
}
