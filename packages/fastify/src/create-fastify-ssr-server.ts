import type { Server } from 'node:http';
import type { AddressInfo, Server as NetServer } from 'node:net';
import { option, withDefault } from '@ng-ssr/core/adapter';
import {
  answerFailure,
  checkListen,
  type Drainable,
  requestListener,
  isMainModule,
  keepParsed,
  type Listening,
  type ListenOptions,
  NodeExchange,
  readPort,
  orEndWithFailure,
  readSocket,
  shutDownOnSignals,
  splitOptions,
  type SsrServer,
  SsrHandler,
  startListening,
  takeParsed,
  toListening,
  toReqHandler,
  writeAnswer,
} from '@ng-ssr/node/adapter';
import createFastify, {
  type FastifyInstance,
  type FastifyListenOptions,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify';
import { hitsOf } from './hits-of.ts';
import { addPageRoutes, type ToRequestContext } from './page-routes.ts';
import { addressesOf, listenAlso } from './listen-also.ts';
import { raise } from './raise.ts';
import { sendAnswer } from './send-answer.ts';
import type { FastifySsrOptions } from './ssr-plugin.ts';

const fastifyOptions = option<FastifyServerOptions>(
  (given) => typeof given === 'object' && given !== null,
  "an object of Fastify's options",
);

type RewriteUrl = NonNullable<FastifyServerOptions['rewriteUrl']>;

/** Options of {@link createFastifySsrServer}. */
export interface FastifySsrServerOptions extends FastifySsrOptions {
  /** Options of the Fastify instance, such as `logger` and `trustProxy`. Default: Fastify's. */
  readonly fastify?: FastifyServerOptions | undefined;
}

/** An Angular SSR server on Fastify. */
export interface FastifySsrServer extends SsrServer {
  /** The Fastify instance for your hooks, plugins and routes; all of them run before the pages. */
  readonly app: FastifyInstance;
  /** Loads the plugins, then does as {@link SsrServer.ready}. */
  ready(): Promise<void>;
  /**
   * Completes open requests as {@link SsrServer.close}, then calls `app.close()` with its preClose and onClose hooks.
   * `app.close()` alone responds with 503 to requests that arrive meanwhile.
   */
  close(): Promise<void>;
}

/**
 * Creates an Angular SSR server on Fastify. Hooks, plugins and routes go on `app`, until the first
 * request, `listen` or `ready`.
 *
 * @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN`, `NG_SSR_BROWSER_FOLDER_MISSING`,
 * `NG_SSR_INDEX_FAILED`, `NG_SSR_FEATURE_FAILED`, `NG_SSR_PLATFORM_INVALID`
 * @example
 * ```ts
 * const server = createFastifySsrServer({ engine: appEngine(), allowedHosts: ['shop.example'] });
 * server.app.get('/api/time', () => ({ now: Date.now() }));
 * export const reqHandler = server.reqHandler;
 * if (server.isMainModule(import.meta.url)) void server.listen();
 * ```
 */
export function createFastifySsrServer(options: FastifySsrServerOptions): FastifySsrServer {
  const { serveHits, routes, requestContext, ssr, fastify } = splitOptions<
    [FastifyRequest, FastifyReply],
    { fastify: FastifyServerOptions }
  >(options, { fastify: withDefault(fastifyOptions, {}) });
  const handler = new SsrHandler(ssr);
  const rewriteUrl = fastify.rewriteUrl && rewriteOnce(fastify.rewriteUrl);
  const app = createFastify({
    ...fastify,
    ...(rewriteUrl && { rewriteUrl }),
    // Requests that Fastify's router refuses without running a hook.
    frameworkErrors(error, request, reply) {
      try {
        const refused = handler.answer(new NodeExchange(request.raw, reply.raw));
        if (refused !== undefined) return sendAnswer(handler, reply, refused);
      } catch (cause) {
        return answerFailure(handler, request.raw, reply.raw, cause);
      }
      if (fastify.frameworkErrors) return fastify.frameworkErrors(error, request, reply);
      void reply.send(error as never);
    },
  });
  app.addHook('onClose', async () => handler.close());
  const hits = hitsOf(app, fastify, serveHits);

  // The page routes and hooks go after the user's: they are added once the user can add no more.
  const getReady = app.ready.bind(app) as (...callback: unknown[]) => unknown;
  let isSealed = false;
  const ready = (...callback: unknown[]): unknown => {
    if (!isSealed) hits.ofPages(() => addPages(app, handler, requestContext));
    isSealed = true;
    return getReady(...callback);
  };
  Object.assign(app, { ready });

  // Hits use the target as Fastify rewrites it, too.
  const isRewrittenInFront = serveHits === 'before-middleware' && rewriteUrl !== undefined;
  const { listener, openSocketHits } = requestListener(
    handler,
    isRewrittenInFront ? 'after-middleware' : hits.now,
    (request, response) => {
      const target = isRewrittenInFront ? rewriteUrl.call(app, request) : request.url;
      // Targets without a path (`*`, `host:443`) have no place in Fastify's router.
      const isAnswered = isRewrittenInFront ? typeof target === 'string' : !target?.startsWith('/');
      if (!isAnswered) return app.routing(request, response);
      const exchange = new NodeExchange(request, response, target, target);
      const answer = handler.answer(exchange);
      if (answer !== undefined) return writeAnswer(response, answer);
      keepParsed(exchange);
      app.routing(request, response);
    },
  );
  // Unless the user's serverFactory has set its own listener.
  if (app.server.listeners('request').includes(app.routing)) {
    app.server.off('request', app.routing).on('request', listener);
  }

  let isReady = false;
  const reqHandler: FastifySsrServer['reqHandler'] = (request, response) => {
    if (isReady) return listener(request, response);
    app.ready().then(
      () => {
        isReady = true;
        listener(request, response);
      },
      (cause) => answerFailure(handler, request, response, cause),
    );
  };

  handler.useListener(routes ?? reqHandler);

  // A closing Fastify refuses requests, so it is closed after every request is answered.
  const target: Drainable = { drain: () => handler.drain(), close: () => app.close() };
  let close = (): Promise<void> => app.close();
  let start: Promise<unknown> | undefined;
  const listen = async (port: number, host: string, reusePort = false): Promise<void> => {
    // A server of the user's serverFactory has one address, as in Fastify.
    const [first, ...others] = fastify.serverFactory ? [host] : await addressesOf(host);
    // Fastify passes all options on to node:net.
    await app.listen({
      port,
      host: first,
      ...(reusePort && { reusePort }),
    } as FastifyListenOptions);
    const address = app.server.address() as AddressInfo;
    await listenAlso(app.server, address.port, others, reusePort);
  };
  const listenWith = async <Own extends NetServer = Server>(
    options: ListenOptions<Own> = {},
  ): Promise<Listening<Own>> => {
    checkListen(options);
    const { host, server: own, announce, shutdown } = options;
    const fd = readSocket(options);
    const port = readPort(options.port);
    const threaded = handler.threads?.listen({
      ...{ server: app.server, target, port, host, fd, shutdown, isOwn: own !== undefined },
      bind: ({ port, host }) => listen(port, host ?? '', true),
    });
    if (threaded !== undefined) {
      start = threaded;
      close = await threaded;
      openSocketHits(app.server);
      void handler.ready();
      const server = app.server as NetServer as Own;
      return toListening(server, { host, announce }, handler.threads?.address);
    }
    if (own !== undefined || fd !== undefined) {
      // Fastify's `listen` takes no descriptor.
      const server = own ?? (app.server as NetServer as Own);
      const started = Promise.resolve(app.ready()).then(() =>
        startListening(server, target, { port, host, fd, shutdown }),
      );
      start = started;
      close = await started;
      if (own === undefined) openSocketHits(app.server);
      void handler.ready();
      return toListening(server, { host, announce });
    }
    // Registered now, to count connections from the first one: Fastify's `listen` resolves later.
    const onListening = (): void => void (close = shutDownOnSignals(app.server, target, shutdown));
    app.server.once('listening', onListening);
    try {
      // Without a host Fastify listens on localhost; with an empty one, on every interface.
      await (start = listen(port, host ?? ''));
    } finally {
      app.server.off('listening', onListening);
    }
    openSocketHits(app.server);
    void handler.ready();
    // Without a server of the caller's, `Own` is that of node:http.
    return toListening(app.server as NetServer as Own, { host, announce });
  };
  return {
    app,
    cache: handler.cache,
    reqHandler: toReqHandler(reqHandler),
    async ready() {
      await app.ready();
      await handler.ready();
    },
    listen: (options) => orEndWithFailure(() => listenWith(options)),
    async close() {
      // Otherwise a `listen` in flight would still listen after `close`.
      await start?.catch(() => undefined);
      await close();
    },
    isMainModule,
  };
}

/** Adds the hooks and routes of a server that owns the whole app. */
function addPages(
  app: FastifyInstance,
  handler: SsrHandler,
  requestContext: ToRequestContext,
): void {
  // Requests may have been looked up before all hooks, and the hooks run again if a page is not found.
  const exchangeOf = (request: FastifyRequest, reply: FastifyReply): NodeExchange =>
    takeParsed(new NodeExchange(request.raw, reply.raw));

  // The last hook before the routes: hits come after every hook of the user, also after those that
  // check a session in preHandler.
  app.addHook('preHandler', (request, reply, done) => {
    if (!isRead(request)) return done();
    const exchange = exchangeOf(request, reply);
    const answer = handler.answer(exchange);
    if (answer !== undefined) return sendAnswer(handler, reply, answer);
    keepParsed(exchange);
    done();
  });
  // Refuses a bad host, target or method before the content is parsed.
  app.addHook('preParsing', (request, reply, _payload, done) => {
    if (isRead(request)) return done();
    const exchange = exchangeOf(request, reply);
    const refused = handler.answer(exchange);
    if (refused !== undefined) return sendAnswer(handler, reply, refused);
    if (!request.is404) return done();
    void handler
      .render(exchange)
      .then((notAllowed) => sendAnswer(handler, reply, notAllowed!))
      .catch((cause) => raise(handler, reply, cause))
      .catch(done);
  });
  app.register(async (scope) => {
    await addPageRoutes(scope, handler, requestContext, true);
    try {
      app.setNotFoundHandler((request, reply) =>
        sendAnswer(handler, reply, handler.notFound(exchangeOf(request, reply))),
      );
    } catch {
      // The user has set a handler, which stays. Fastify has no other way to detect it.
    }
  });
}

function isRead({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Calls the user's `rewriteUrl` once per request: an early hit and Fastify both call the result. */
function rewriteOnce(rewriteUrl: RewriteUrl): RewriteUrl {
  const rewritten = new WeakMap<object, string>();
  return function (request) {
    const known = rewritten.get(request);
    if (known !== undefined) return known;
    const url = rewriteUrl.call(this, request);
    rewritten.set(request, url);
    return url;
  };
}
