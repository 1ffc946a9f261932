import Router from '@koa/router';
import { etag } from '@ng-ssr/etag/koa';
import {
  answerFailure,
  type Hits,
  requestListener,
  splitOptions,
  type SsrServer,
  SsrHandler,
  toServer,
} from '@ng-ssr/node/adapter';
import Koa from 'koa';
import conditionalGet from 'koa-conditional-get';
import { type KoaSsrOptions, toMiddleware } from './ssr-middleware.ts';

/**
 * The router's 405 and OPTIONS, only for paths that have a route. Adds GET and HEAD to Allow, since
 * every path may also be a page.
 */
function allowedMethods(router: Router): Koa.Middleware {
  const answer = router.allowedMethods();
  return async (context, next) => {
    await next();
    const { method, matched } = context as unknown as { method: string; matched?: unknown[] };
    if (!matched?.length || method === 'GET' || method === 'HEAD') return;
    // Of a request that a route has answered the router asks nothing either.
    if (context.status === 404) {
      await answer(context as Parameters<typeof answer>[0], () => Promise.resolve());
    }
    const allowed = context.res.getHeader('Allow');
    if (typeof allowed === 'string') {
      context.set('Allow', [...new Set(['GET', 'HEAD', ...allowed.split(', ')])].join(', '));
    }
  };
}

/** An Angular SSR server on Koa. */
export interface KoaSsrServer extends SsrServer {
  /** The Koa application. Middleware that you add runs before the pages. */
  readonly app: Koa;
  /** Your own routes: after the built files, before rendering. */
  readonly router: Router;
}

/**
 * Creates an Angular SSR server on Koa. Add middleware to `app` and routes to `router`. Responses of routes get ETags,
 * and 304 for conditional requests (RFC 9110 section 13).
 *
 * @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN`, `NG_SSR_BROWSER_FOLDER_MISSING`,
 * `NG_SSR_INDEX_FAILED`, `NG_SSR_FEATURE_FAILED`, `NG_SSR_PLATFORM_INVALID`
 * @example
 * ```ts
 * const server = createKoaSsrServer({ engine: appEngine(), allowedHosts: ['shop.example'] });
 * server.router.get('/api/time', (ctx) => { ctx.body = { now: Date.now() }; });
 * export const reqHandler = server.reqHandler;
 * if (server.isMainModule(import.meta.url)) void server.listen();
 * ```
 */
export function createKoaSsrServer(options: KoaSsrOptions): KoaSsrServer {
  const { serveHits, routes, requestContext, ssr } = splitOptions(options);
  const handler = new SsrHandler(ssr);
  const app = new Koa();
  const router = new Router();
  const { onerror } = app.context;
  // Where Koa cannot write even the error, its `onerror` throws, and nothing handles the rejection.
  app.context.onerror = function (this: Koa.Context, error: Error) {
    try {
      onerror.call(this, error);
    } catch (cause) {
      answerFailure(handler, this.req, this.res, cause);
    }
  };

  const unclaimed = new WeakSet<Koa.Context>();
  const isClaimed = (context: Koa.Context): boolean => !unclaimed.has(context);
  app.use(toMiddleware(handler, requestContext, isClaimed, true));
  app.use(conditionalGet()).use(etag()).use(router.routes()).use(allowedMethods(router));
  app.use((context) => void unclaimed.add(context));
  // Puts the user's middleware before ours, so that the app is complete at any time, also for their
  // own server.
  const ours = [...app.middleware];
  const use = app.use.bind(app) as (added: Koa.Middleware) => Koa;
  app.use = ((added: Koa.Middleware) => {
    use(added);
    const { middleware } = app;
    middleware.splice(-ours.length, 0, middleware.pop()!);
    return app;
  }) as Koa['use'];

  let listener: ReturnType<Koa['callback']> | undefined;
  const hitsNow = (): Hits => {
    // Without middleware none can set anything on hits. Tracing may also wrap ours, or replace the list.
    const { middleware } = app;
    if (middleware.length !== ours.length) return serveHits;
    for (let at = 0; at < ours.length; at++) if (middleware[at] !== ours[at]) return serveHits;
    return 'before-middleware';
  };
  let composed = 0;
  const requests = requestListener(handler, hitsNow, (request, response) => {
    // Koa composes the middleware that there is at that time.
    if (composed !== app.middleware.length) listener = app.callback();
    composed = app.middleware.length;
    void listener!(request, response);
  });

  return { ...toServer(handler, requests, routes), app, router };
}
