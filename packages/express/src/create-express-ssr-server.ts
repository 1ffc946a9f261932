import type { IncomingMessage } from 'node:http';
import { weakEntityTag } from '@ng-ssr/etag/express';
import {
  frontDoor,
  isMain,
  Listener,
  NodeExchange,
  sendAnswer,
  type SsrServer,
  toReqHandler,
} from '@ng-ssr/node/adapter';
import express, {
  type ErrorRequestHandler,
  type Express,
  type RequestHandler,
  type Router,
} from 'express';
import { type ExpressSsrOptions, toHandlers } from './ssr-middleware.ts';

/** An Angular SSR server on Express. */
export interface ExpressSsrServer extends SsrServer {
  /**
   * The Express application, without X-Powered-By, for a server of yours or another app too. Middleware
   * that it is given before the first request runs before ours; error-handling middleware hears of
   * `router` and of renders too.
   */
  readonly app: Express;
  /** Routes of your own: after the built files, before rendering. */
  readonly router: Router;
}

/**
 * Creates an Angular SSR server on Express 5 or 4. Your middleware goes on `app`, your routes on
 * `router`; what routes send has native entity tags.
 *
 * @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN`, `NG_SSR_INDEX_FAILED`
 * @example
 * ```ts
 * const server = createExpressSsrServer({ engine: appEngine(), allowedHosts: ['shop.example'] });
 * server.router.get('/api/time', (req, res) => { res.json({ now: Date.now() }); });
 * export const reqHandler = server.reqHandler;
 * if (server.isMain(import.meta.url)) void server.listen();
 * ```
 */
export function createExpressSsrServer(options: ExpressSsrOptions): ExpressSsrServer {
  const { lane, handler, held, rest } = toHandlers(options);
  const app = express().disable('x-powered-by').set('etag', weakEntityTag);
  const router = express.Router();
  const isPastApp = new WeakSet<IncomingMessage>();
  const hasNext = new WeakSet<IncomingMessage>();

  const route: RequestHandler = (request, response, next) => {
    isPastApp.add(request);
    router(request, response, next);
  };
  const notFound: RequestHandler = (request, response, next) => {
    if (hasNext.has(request)) next();
    else
      sendAnswer(handler, request, response, handler.notFound(new NodeExchange(request, response)));
  };
  /** With the first request the user's middleware is complete, and ours goes behind it. */
  const seal = (): void => {
    if (lane === 'pipeline') app.use(held);
    app.use(route, rest);
    const inFront = stackOf(app).filter(({ handle }) => handle.length === 4);
    const fail: ErrorRequestHandler = (error, request, response, next) => {
      if (isPastApp.has(request)) {
        // Express looks for error-handling middleware behind what has failed: the app's is in front.
        const handlers = express.Router().use((_request, _response, raise) => raise(error));
        handlers.stack.push(...inFront);
        handlers(request, response, next);
        return;
      }
      // A target that Express could not decode for a route on the app is refused as any other.
      const answer =
        error instanceof URIError ? handler.answer(new NodeExchange(request, response)) : undefined;
      if (answer?.status === 400) sendAnswer(handler, request, response, answer);
      else next(error);
    };
    app.use(fail, notFound);
  };

  let isSealed = false;
  const withHandle = app as unknown as { handle: ExpressSsrServer['reqHandler'] };
  const handle = withHandle.handle.bind(app);
  const reqHandler = frontDoor(handler, lane, (request, response, next) => {
    if (!isSealed) seal();
    isSealed = true;
    if (next === undefined) return handle(request, response);
    hasNext.add(request);
    // Those of an app in front, which Express restores behind an app, and not behind a middleware.
    const requestPrototype: unknown = Object.getPrototypeOf(request);
    const responsePrototype: unknown = Object.getPrototypeOf(response);
    handle(request, response, (error) => {
      Object.setPrototypeOf(request, requestPrototype as object);
      Object.setPrototypeOf(response, responsePrototype as object);
      next(error);
    });
  });
  // A server of the user's, another app and supertest call it.
  withHandle.handle = reqHandler;
  const http = new Listener(reqHandler, handler);
  return {
    app,
    router,
    reqHandler: toReqHandler(reqHandler),
    cache: handler.cache,
    ready: () => handler.ready(),
    listen: (where) => http.listen(where),
    close: () => http.close(),
    isMain,
  };
}

/** The middleware of an app that has some; Express 4 has another name for its router. */
function stackOf(app: Express): Router['stack'] {
  return ((app._router ?? app.router) as Router).stack;
}
