import { isPromise } from '@ng-ssr/core/adapter';
import type { IncomingMessage, ServerResponse } from 'node:http';
import createRouter, { type HTTPMethod, type HTTPVersion, type Instance } from 'find-my-way';
import {
  answerFailure,
  requestListener,
  NodeExchange,
  type AdapterOptions,
  type Hits,
  splitOptions,
  type SsrServer,
  SsrHandler,
  takeParsed,
  toServer,
  writeAnswer,
} from './adapter/index.ts';
import { http } from './adapter/node-http.ts';
import { runMiddleware } from './run-middleware.ts';
import { type NodeMiddleware, SsrPipeline } from './adapter/ssr-pipeline.ts';

/** Options of {@link createNodeSsrServer}. */
export type NodeSsrOptions = AdapterOptions<[IncomingMessage, ServerResponse]>;

/** An Angular SSR server on node:http. */
export interface NodeSsrServer extends SsrServer {
  /** Your routes (find-my-way), after built files and cached pages, before rendering. */
  readonly router: Instance<HTTPVersion.V1>;
  /** Adds a middleware. They run before the pages, in the order of the calls. */
  use(middleware: NodeMiddleware): NodeSsrServer;
}

/**
 * Creates an Angular SSR server on node:http, with a router and Connect-style middleware.
 *
 * @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN`, `NG_SSR_BROWSER_FOLDER_MISSING`,
 * `NG_SSR_INDEX_FAILED`, `NG_SSR_FEATURE_FAILED`, `NG_SSR_PLATFORM_INVALID`
 * @example
 * ```ts
 * const server = createNodeSsrServer({ engine: appEngine(), allowedHosts: ['shop.example'] });
 * server.router.get('/api/time', (req, res) => res.end(String(Date.now())));
 * export const reqHandler = server.reqHandler;
 * if (server.isMainModule(import.meta.url)) void server.listen();
 * ```
 */
export function createNodeSsrServer(options: NodeSsrOptions): NodeSsrServer {
  const { serveHits, routes, requestContext, ssr } = splitOptions(options);
  const handler = new SsrHandler(ssr);
  const pipeline = new SsrPipeline(handler, requestContext, {}, true);
  const middleware: NodeMiddleware[] = [];

  const fail = (request: IncomingMessage, response: ServerResponse, cause: unknown): void => {
    answerFailure(handler, request, response, cause);
  };
  const router = createRouter({
    ignoreTrailingSlash: false,
    defaultRoute: (request, response) => {
      // HEAD is GET without the content (RFC 9110 section 9.3.2), which node:http leaves out.
      const { method, url = '/' } = request;
      const constraints = method === 'GET' ? undefined : constraintsOf(request);
      const route = method === 'HEAD' ? router.find('GET', url, constraints) : null;
      if (route !== null) {
        const { handler: answer, params, store, searchParams } = route;
        return answer(request, response, params, store, searchParams);
      }
      const notFound = (): void => {
        const exchange = takeParsed(new NodeExchange(request, response));
        writeAnswer(response, handler.notFound(exchange));
      };
      const next = nextOf.get(request) ?? notFound;
      const methodsOf = (): readonly string[] =>
        http.METHODS.filter((each) => router.find(each as HTTPMethod, url, constraints) !== null);
      const isRead = method === 'GET' || method === 'HEAD';
      void pipeline.render(request, response, next, isRead ? undefined : methodsOf);
    },
  });
  const nextOf = new WeakMap<IncomingMessage, () => void>();

  const route = (request: IncomingMessage, response: ServerResponse): void => {
    try {
      const result: unknown = router.lookup(request, response);
      if (isPromise(result)) result.then(undefined, (cause) => fail(request, response, cause));
    } catch (cause) {
      fail(request, response, cause);
    }
  };
  // Without middleware none can set anything on hits.
  const hitsNow = (): Hits => (middleware.length === 0 ? 'before-middleware' : serveHits);
  const requests = requestListener(handler, hitsNow, (request, response, next) => {
    if (next !== undefined) nextOf.set(request, next);
    if (middleware.length === 0) return route(request, response);
    runMiddleware(middleware, request, response, (error?: unknown) => {
      if (error !== undefined) fail(request, response, error);
      else if (serveHits === 'before-middleware' || !pipeline.answer(request, response))
        route(request, response);
    });
  });

  const server: NodeSsrServer = {
    ...toServer(handler, requests, routes),
    router,
    use(added) {
      middleware.push(added);
      return server;
    },
  };
  return server;
}

/** What find-my-way chooses among the routes of a path by, beside the method. */
function constraintsOf({ headers }: IncomingMessage): Record<string, unknown> {
  return { host: headers.host, version: headers['accept-version'] };
}
