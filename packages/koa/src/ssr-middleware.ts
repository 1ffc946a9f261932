import {
  closeWith,
  ContentStream,
  keepPart,
  type AdapterOptions,
  setHeaders,
  splitOptions,
  SsrHandler,
  type SsrLifecycle,
  takeParsed,
  toLifecycle,
  watchAnswer,
  wholeTarget,
} from '@ng-ssr/node/adapter';
import { type Answer, SsrError, type StreamedAnswer } from '@ng-ssr/core/adapter';
import type { Context, Middleware } from 'koa';
import { KoaExchange } from './koa-exchange.ts';

/** Options of Koa's server and middleware. */
export type KoaSsrOptions = AdapterOptions<[Context]>;

/**
 * Creates a middleware for an existing app. Put it before the router: it serves files and cached pages at once, and
 * renders requests that no later middleware handles. A matching route of a later router always handles its request,
 * also with a 404; a route of an earlier router may pass its request on to the pages. If a render fails, the response
 * is a 500 and `onError` gets the error.
 *
 * @param options - As for {@link createKoaSsrServer}, without `serveHits`.
 * @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN`, `NG_SSR_BROWSER_FOLDER_MISSING`,
 * `NG_SSR_INDEX_FAILED`, `NG_SSR_FEATURE_FAILED`, `NG_SSR_PLATFORM_INVALID`
 * @example
 * ```ts
 * const ssr = ssrMiddleware({ engine: appEngine(), allowedHosts: ['shop.example'] });
 * app.use(ssr);
 * app.use(router.routes());
 * shutDownOnSignals(app.listen(4000), ssr);
 * ```
 */
export function ssrMiddleware(
  options: Omit<KoaSsrOptions, 'serveHits'>,
): Middleware & SsrLifecycle {
  const { ssr, routes, requestContext } = splitOptions(options);
  const handler = new SsrHandler(ssr);
  if (routes !== undefined) handler.useListener(routes);
  const middleware = toMiddleware(handler, requestContext);
  const learning: Middleware = (context, next) => {
    // By now the app has all of its middleware.
    if (!handler.hasRoutes) {
      const listener = context.app.callback();
      handler.useListener((request, response) => void listener(request, response));
    }
    return middleware(context, next) as Promise<unknown>;
  };
  return Object.assign(learning, toLifecycle(handler));
}

/**
 * The middleware over a handler.
 *
 * @param isClaimed - Whether a later route has taken a request, even without an answer; it gets the
 * number of earlier routes with this path. Default: whether a later route has the path and method.
 * @param isLookedUp - Whether requests may have been looked up before all middleware. Default: no.
 */
export function toMiddleware(
  handler: SsrHandler,
  requestContext: (context: Context) => unknown,
  isClaimed: (context: Context, routesInFront: number) => boolean = hasLaterRoute,
  isLookedUp = false,
): Middleware {
  const render = async (
    context: Context,
    next: () => Promise<unknown>,
    first: KoaExchange,
  ): Promise<void> => {
    const { status } = context;
    const routesInFront = routesOf(context).length;
    await next();
    if (hasAnswer(context, status) || isClaimed(context, routesInFront)) return;
    if (context.headerSent) return reportSent(handler, context);
    const exchange = new KoaExchange(context, targetOf(context, handler));
    exchange.parsedRequest = first.parsedRequest;
    const file = handler.largeFile(exchange);
    if (file !== undefined) ignoreLeaving(context);
    const answer = await (file ?? handler.complete(exchange, requestContext(context)));
    if (context.headerSent) reportSent(handler, context);
    applyStreamed(context, answer ?? handler.notFound(exchange));
  };
  return (context, next) => {
    try {
      watchAnswer(handler, context.req, context.res);
      const first = new KoaExchange(context, targetOf(context, handler));
      if (isLookedUp) takeParsed(first);
      const hit = handler.answer(first);
      if (hit === undefined) return render(context, next, first);
      applyAnswer(context, hit);
      return ANSWERED;
    } catch (error) {
      return Promise.reject(error as Error);
    }
  };
}

/** Of all hits: the promise of an async function takes longer than the rest of the middleware. */
const ANSWERED = Promise.resolve();

/** Handlers whose app has a middleware that does not wait. */
const reported = new WeakSet<SsrHandler>();

/** Koa sends a response when the outermost middleware has returned: a page that is ready later is lost. */
function reportSent(handler: SsrHandler, { method, path }: Context): void {
  if (reported.has(handler)) return;
  reported.add(handler);
  const message = `${method} ${path}: Koa sent the response before the page was ready. Write await next() in each middleware before ng-ssr, and ctx.respond = false in one that writes the response itself. This is reported once`;
  handler.report(new SsrError('NG_SSR_HANDLER_FAILED', message));
}

/**
 * Passes the answer to Koa, which sends it when all middleware has run: earlier middleware sees and
 * may change status, headers and body as with any other response.
 */
export function applyAnswer(context: Context, answer: Answer): void {
  if (context.headerSent) return;
  const { status, headers, body } = answer;
  keepPart(context.req, answer);
  setHeaders(context.res, headers);
  context.status = status;
  if (body !== null) setBody(context, asBuffer(body));
  // Koa would send the status as text.
  else if (context.method !== 'HEAD' && !hasNoContent(status)) setBody(context, Buffer.alloc(0));
}

/** Koa would send other bytes as JSON. */
function asBuffer(body: Uint8Array): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
}

function hasNoContent(status: number): boolean {
  return status === 204 || status === 205 || status === 304;
}

function setBody(context: Context, body: Buffer): void {
  const hasType = context.res.hasHeader('Content-Type');
  context.body = body;
  // Koa sets a Content-Type for every Buffer; an empty redirect has none.
  if (!hasType) context.remove('Content-Type');
}

/** As {@link applyAnswer}, for an answer that may come in pieces. */
function applyStreamed(context: Context, answer: Answer | StreamedAnswer): void {
  if (!('content' in answer)) return applyAnswer(context, answer);
  if (context.headerSent) return void answer.content.close();
  ignoreLeaving(context);
  closeWith(context.res, answer.content);
  setHeaders(context.res, answer.headers, answer.isPersonal);
  keepPart(context.req, answer);
  context.status = answer.status;
  const { pieces } = answer.content;
  if (pieces === undefined) context.body = new ContentStream(answer.content);
  else setBody(context, Buffer.concat(pieces));
}

/** Koa would log disconnects as application errors, and file errors that the core has reported. */
function ignoreLeaving(context: Context): void {
  const onerror = context.onerror.bind(context);
  context.onerror = (error) => {
    if (!isOfLeaving(context, error)) onerror(error);
  };
}

/** Whether an error means that the client has left, or the core has reported it. */
function isOfLeaving(context: Context, error: Error): boolean {
  const { code } = (error ?? {}) as NodeJS.ErrnoException;
  if (code === 'ERR_STREAM_PREMATURE_CLOSE') return true;
  try {
    const isOfFile = context.body instanceof ContentStream && error === context.body.errored;
    return isOfFile || context.headerSent || !context.writable;
  } catch {
    return false;
  }
}

/** The full target after rewrites: koa-mount and `ng serve` remove a part of it. */
function targetOf({ req, originalUrl, mountPath }: Context, { browserFolder }: SsrHandler): string {
  const isMounted = mountPath !== undefined || browserFolder === undefined;
  const original = (req as { originalUrl?: string }).originalUrl ?? originalUrl;
  return wholeTarget(req.url ?? '/', original, isMounted);
}

/** Whether there is an answer. An earlier status is none, and stays on the page. */
function hasAnswer(context: Context, earlier: number): boolean {
  return context.status !== earlier || context.body !== undefined || context.respond === false;
}

/** A part of @koa/router's routes. */
interface Route {
  /** None for middleware of a router. */
  readonly methods: readonly string[];
}

/** The routes with this path, of any method, in all routers so far. */
function routesOf(context: Context): readonly Route[] {
  return (context['matched'] as readonly Route[] | undefined) ?? [];
}

/** A later route with path and method counts as an answer, even when it leaves Koa's 404. */
function hasLaterRoute(context: Context, routesInFront: number): boolean {
  const later = routesOf(context).slice(routesInFront);
  return later.some(({ methods }) => methods.includes(context.method));
}
