import type { IncomingMessage } from 'node:http';
import { weakEntityTag } from '@ng-ssr/etag/express';
import {
  answerFailure,
  type Hits,
  requestListener,
  isOfHttp2,
  NodeExchange,
  sendAnswer,
  type SsrServer,
  takeParsed,
  toServer,
} from '@ng-ssr/node/adapter';
import express, {
  type ErrorRequestHandler,
  type Express,
  type RequestHandler,
  type Router,
} from 'express';
import { canShowErrorPage } from './error-page.ts';
import { keepHttp2Members } from './http2-members.ts';
import { type ExpressSsrOptions, toHandlers } from './ssr-middleware.ts';

/** An Angular SSR server on Express. */
export interface ExpressSsrServer extends SsrServer {
  /**
   * The Express application, without X-Powered-By; your own server or another app can use it. Middleware
   * that you add before the first request runs before the pages; error-handling middleware also gets
   * errors of `router` and of renders.
   */
  readonly app: Express;
  /** Your own routes: after the built files, before rendering. */
  readonly router: Router;
}

/**
 * Creates an Angular SSR server on Express 5 or 4. Add middleware to `app` and routes to `router`. Responses of routes
 * get ETags.
 *
 * @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN`, `NG_SSR_BROWSER_FOLDER_MISSING`,
 * `NG_SSR_INDEX_FAILED`, `NG_SSR_FEATURE_FAILED`, `NG_SSR_PLATFORM_INVALID`
 * @example
 * ```ts
 * const server = createExpressSsrServer({ engine: appEngine(), allowedHosts: ['shop.example'] });
 * server.router.get('/api/time', (req, res) => { res.json({ now: Date.now() }); });
 * export const reqHandler = server.reqHandler;
 * if (server.isMainModule(import.meta.url)) void server.listen();
 * ```
 */
export function createExpressSsrServer(options: ExpressSsrOptions): ExpressSsrServer {
  const { serveHits, routes, handler, answer, render } = toHandlers(options, true);
  const app = express().disable('x-powered-by').set('etag', weakEntityTag);
  const router = express.Router();
  const isPastApp = new WeakSet<IncomingMessage>();
  const hasNext = new WeakSet<IncomingMessage>();

  const route: RequestHandler = (request, response, next) => {
    isPastApp.add(request);
    router(request, response, next);
  };
  const notFound: RequestHandler = (request, response, next) => {
    if (hasNext.has(request)) return next();
    const exchange = takeParsed(new NodeExchange(request, response));
    sendAnswer(handler, request, response, handler.notFound(exchange));
  };
  let hits: Hits | undefined;
  // Without middleware none can set anything on hits.
  const hitsNow = (): Hits => hits ?? (isUsed(app) ? serveHits : 'before-middleware');
  /** At the first request the user's middleware is complete, and the pages are added after it. */
  const seal = (): void => {
    hits = hitsNow();
    if (hits === 'after-middleware') app.use(answer);
    app.use(route, render);
    const inFront = stackOf(app).filter(({ handle }) => handle.length === 4);
    const fail: ErrorRequestHandler = (error, request, response, onError) => {
      const next = (cause: unknown): void => {
        if (hasNext.has(request) || canShowErrorPage(request, response)) onError(cause);
        else answerFailure(handler, request, response, cause);
      };
      if (isPastApp.has(request)) {
        // Express only looks for error-handling middleware after the failed one; the app's is before.
        const handlers = express.Router().use((_request, _response, raise) => raise(error));
        handlers.stack.push(...inFront);
        handlers(request, response, next);
        return;
      }
      // A target that Express could not decode for a route on the app gets the usual 400.
      const refusal =
        error instanceof URIError ? handler.answer(new NodeExchange(request, response)) : undefined;
      if (refusal?.status === 400) sendAnswer(handler, request, response, refusal);
      else next(error);
    };
    app.use(fail, notFound);
  };

  const withHandle = app as unknown as { handle: ExpressSsrServer['reqHandler'] };
  const handle = withHandle.handle.bind(app);
  const requests = requestListener(handler, hitsNow, (request, response, next) => {
    if (hits === undefined) seal();
    if (isOfHttp2(request)) keepHttp2Members(request, response);
    if (next === undefined) return handle(request, response);
    hasNext.add(request);
    // The outer app's prototypes: Express restores them after a mounted app, not after middleware.
    const requestPrototype: unknown = Object.getPrototypeOf(request);
    const responsePrototype: unknown = Object.getPrototypeOf(response);
    handle(request, response, (error) => {
      Object.setPrototypeOf(request, requestPrototype as object);
      Object.setPrototypeOf(response, responsePrototype as object);
      next(error);
    });
  });
  // The user's own server, another app and supertest call `handle`.
  withHandle.handle = requests.listener;
  return { ...toServer(handler, requests, routes), app, router };
}

/**
 * Whether an app has middleware, routes or X-Powered-By. Express 4 makes its router with the first of them; asked
 * before, it throws.
 */
function isUsed(app: Express): boolean {
  const hasRouter = 'lazyrouter' in app ? app._router !== undefined : stackOf(app).length > 0;
  return hasRouter || app.enabled('x-powered-by');
}

/** The middleware of an app that has some; Express 4 calls its router `_router`. */
function stackOf(app: Express): Router['stack'] {
  return ((app._router ?? app.router) as Router).stack;
}
