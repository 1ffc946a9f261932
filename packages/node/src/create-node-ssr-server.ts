import type { IncomingMessage, ServerResponse } from 'node:http';
import createRouter, { type HTTPVersion, type Instance } from 'find-my-way';
import {
  answerProbe,
  isMain,
  Listener,
  NodeExchange,
  type NodeSsrOptions,
  splitOptions,
  type SsrServer,
  SsrHandler,
  toReqHandler,
  writeAnswer,
} from './adapter/index.ts';
import { runMiddleware } from './run-middleware.ts';
import { type NodeMiddleware, SsrPipeline } from './adapter/ssr-pipeline.ts';

/** Options of {@link createNodeSsrServer}. */
export type NodeSsrServerOptions = NodeSsrOptions<[IncomingMessage, ServerResponse]>;

/** An Angular SSR server on node:http. */
export interface NodeSsrServer extends SsrServer {
  /** Routes of your own: after the built files, before rendering. */
  readonly router: Instance<HTTPVersion.V1>;
  /** Adds a middleware; all run before anything is answered, in the order of the calls. */
  use(middleware: NodeMiddleware): NodeSsrServer;
}

/**
 * Creates an Angular SSR server on node:http, with a router and Connect-style middleware.
 *
 * @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN`, `NG_SSR_INDEX_FAILED`
 * @example
 * ```ts
 * const server = createNodeSsrServer({ engine: appEngine(), allowedHosts: ['shop.example'] });
 * server.router.get('/api/time', (req, res) => res.end(String(Date.now())));
 * export const reqHandler = server.reqHandler;
 * if (server.isMain(import.meta.url)) await server.listen();
 * ```
 */
export function createNodeSsrServer(options: NodeSsrServerOptions): NodeSsrServer {
  const { lane, requestContext, ssr } = splitOptions(options);
  const handler = new SsrHandler(ssr);
  const pipeline = new SsrPipeline(handler, requestContext);
  const middleware: NodeMiddleware[] = [];

  const fail = (request: IncomingMessage, response: ServerResponse, cause: unknown): void => {
    const answer = handler.fail(new NodeExchange(request, response), cause);
    if (!response.headersSent) writeAnswer(response, answer);
    else if (!response.writableEnded) response.destroy();
  };
  const router = createRouter({
    ignoreTrailingSlash: false,
    defaultRoute: (request, response) => {
      // HEAD is GET without the content (RFC 9110 section 9.3.2), which node:http leaves out.
      const { method, url = '/', headers } = request;
      const constraints = { host: headers.host, version: headers['accept-version'] };
      const route = method === 'HEAD' ? router.find('GET', url, constraints) : null;
      if (route !== null) {
        const { handler: answer, params, store, searchParams } = route;
        return answer(request, response, params, store, searchParams);
      }
      const notFound = (): void =>
        writeAnswer(response, handler.notFound(new NodeExchange(request, response)));
      const next = nextOf.get(request) ?? notFound;
      pipeline.complete(request, response, next).catch((cause) => fail(request, response, cause));
    },
  });
  const nextOf = new WeakMap<IncomingMessage, () => void>();

  const route = (request: IncomingMessage, response: ServerResponse): void => {
    const result: unknown = router.lookup(request, response);
    if (result instanceof Promise) result.catch((cause) => fail(request, response, cause));
  };
  const reqHandler: NodeSsrServer['reqHandler'] = (request, response, next) => {
    if (answerProbe(handler, request, response)) return;
    try {
      if (next !== undefined) nextOf.set(request, next);
      if (lane === 'front' && pipeline.answer(request, response)) return;
      runMiddleware(middleware, request, response, (error) => {
        if (error !== undefined) fail(request, response, error);
        else if (lane === 'front' || !pipeline.answer(request, response)) route(request, response);
      });
    } catch (cause) {
      fail(request, response, cause);
    }
  };

  const listener = new Listener(reqHandler, handler);
  const server: NodeSsrServer = {
    router,
    use(added) {
      middleware.push(added);
      return server;
    },
    reqHandler: toReqHandler(reqHandler),
    cache: handler.cache,
    ready: () => handler.ready(),
    listen: (where) => listener.listen(where),
    close: () => listener.close(),
    isMain,
  };
  return server;
}
