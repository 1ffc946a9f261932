import type { AddressInfo } from 'node:net';
import { check } from '@ng-ssr/core';
import {
  answerFailure,
  type Drainable,
  frontDoor,
  isMain,
  NodeExchange,
  readPort,
  resolveShutdown,
  shutDownOnSignals,
  splitOptions,
  type SsrServer,
  SsrHandler,
  toListening,
  toReqHandler,
  writeAnswer,
} from '@ng-ssr/node/adapter';
import createFastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify';
import { addPageRoutes, type ToRequestContext } from './page-routes.ts';
import { addressesOf, listenAlso } from './listen-also.ts';
import { sendAnswer } from './send-answer.ts';
import type { FastifySsrOptions } from './ssr-plugin.ts';

type RewriteUrl = NonNullable<FastifyServerOptions['rewriteUrl']>;

/** Options of {@link createFastifySsrServer}. */
export interface FastifySsrServerOptions extends FastifySsrOptions {
  /** Fastify's own options, which it takes at creation only: `logger`, `trustProxy` and others. */
  readonly fastify?: FastifyServerOptions | undefined;
}

/** An Angular SSR server on Fastify. */
export interface FastifySsrServer extends SsrServer {
  /** The Fastify instance for your hooks, plugins and routes; all of them run before ours. */
  readonly app: FastifyInstance;
  /** As every server's, when the plugins are loaded. */
  ready(): Promise<void>;
  /**
   * Answers the requests under way as every server of ours does, then `app.close()`, with its preClose
   * and onClose hooks. `app.close()` alone refuses with 503 what arrives meanwhile.
   */
  close(): Promise<void>;
}

/**
 * Creates an Angular SSR server on Fastify. Hooks, plugins and routes go on `app`, until the first
 * request, `listen` or `ready`.
 *
 * @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN`, `NG_SSR_INDEX_FAILED`
 * @example
 * ```ts
 * const server = createFastifySsrServer({ engine: appEngine(), allowedHosts: ['shop.example'] });
 * server.app.get('/api/time', () => ({ now: Date.now() }));
 * export const reqHandler = server.reqHandler;
 * if (server.isMain(import.meta.url)) void server.listen();
 * ```
 */
export function createFastifySsrServer(options: FastifySsrServerOptions): FastifySsrServer {
  const { fastify = {}, ...own } = options;
  const isObject = typeof fastify === 'object' && fastify !== null;
  check('fastify', fastify, isObject, "an object of Fastify's options");
  const { lane, requestContext, ssr } = splitOptions<[FastifyRequest, FastifyReply]>(own, [
    'fastify',
  ]);
  const handler = new SsrHandler(ssr);
  const rewriteUrl = fastify.rewriteUrl && rewriteOnce(fastify.rewriteUrl);
  const app = createFastify({
    ...fastify,
    ...(rewriteUrl && { rewriteUrl }),
    // What Fastify's router refuses without any hook.
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

  // Our routes and hooks go behind the user's: they are added when nothing more can come.
  const getReady = app.ready.bind(app) as (...callback: unknown[]) => unknown;
  let isSealed = false;
  const ready = (...callback: unknown[]): unknown => {
    if (!isSealed) addPages(app, handler, requestContext);
    isSealed = true;
    return getReady(...callback);
  };
  Object.assign(app, { ready });

  // What Fastify makes of a target is that of its hits, too.
  const isRewrittenInFront = lane === 'front' && rewriteUrl !== undefined;
  const door = isRewrittenInFront ? 'pipeline' : lane;
  const listener = frontDoor(handler, door, (request, response) => {
    const target = isRewrittenInFront ? rewriteUrl.call(app, request) : request.url;
    // Targets without a path (`*`, `host:443`) have no place in Fastify's router.
    const isAnswered = isRewrittenInFront ? typeof target === 'string' : !target?.startsWith('/');
    const answer = isAnswered
      ? handler.answer(new NodeExchange(request, response, target))
      : undefined;
    if (answer === undefined) app.routing(request, response);
    else writeAnswer(response, answer);
  });
  // Unless a serverFactory of the user's has its own.
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

  // Fastify refuses what arrives once it closes, so that comes when every request is answered.
  const target: Drainable = { drain: () => handler.drain(), close: () => app.close() };
  let close = (): Promise<void> => app.close();
  let start: Promise<unknown> | undefined;
  const listen = async (port: number, host: string): Promise<void> => {
    // A server of the user's making has one address, with Fastify too.
    const [first, ...others] = fastify.serverFactory ? [host] : await addressesOf(host);
    await app.listen({ port, host: first });
    await listenAlso(app.server, (app.server.address() as AddressInfo).port, others);
  };
  return {
    app,
    cache: handler.cache,
    reqHandler: toReqHandler(reqHandler),
    async ready() {
      await app.ready();
      await handler.ready();
    },
    async listen({ port, host, announce, shutdown } = {}) {
      resolveShutdown(shutdown);
      // Its connections are known from the first: Fastify tells of them later.
      const onListening = (): void =>
        void (close = shutDownOnSignals(app.server, target, shutdown));
      app.server.once('listening', onListening);
      try {
        // Fastify takes no host for localhost; an empty one is every interface.
        await (start = listen(readPort(port), host ?? ''));
      } finally {
        app.server.off('listening', onListening);
      }
      void handler.ready();
      return toListening(app.server, { host, announce });
    },
    async close() {
      // Fastify would listen after its end.
      await start?.catch(() => undefined);
      await close();
    },
    isMain,
  };
}

/** The hooks and routes of a server whose pages are the whole of it. */
function addPages(
  app: FastifyInstance,
  handler: SsrHandler,
  requestContext: ToRequestContext,
): void {
  const exchangeOf = (request: FastifyRequest, reply: FastifyReply): NodeExchange =>
    new NodeExchange(request.raw, reply.raw);

  // The last hook before the routes: hits are behind every hook of the user's, also those that
  // look for a session in preHandler.
  app.addHook('preHandler', (request, reply, done) => {
    const answer = isRead(request) ? handler.answer(exchangeOf(request, reply)) : undefined;
    if (answer === undefined) done();
    else sendAnswer(handler, reply, answer);
  });
  // What is refused for its host, target or method is refused before its content is parsed.
  app.addHook('preParsing', (request, reply, _payload, done) => {
    if (isRead(request)) return done();
    const refused = handler.answer(exchangeOf(request, reply));
    if (refused !== undefined) return sendAnswer(handler, reply, refused);
    if (!request.is404) return done();
    void handler
      .render(exchangeOf(request, reply))
      .then((notAllowed) => sendAnswer(handler, reply, notAllowed!))
      .catch(done);
  });
  app.register(async (scope) => {
    await addPageRoutes(scope, handler, requestContext);
    try {
      app.setNotFoundHandler((request, reply) =>
        sendAnswer(handler, reply, handler.notFound(exchangeOf(request, reply))),
      );
    } catch {
      // The user has set one, which Fastify tells in no other way: it is theirs.
    }
  });
}

function isRead({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** The user's `rewriteUrl`, which is asked once for each request: in the front lane, and by Fastify. */
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
