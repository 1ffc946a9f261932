import { isPromise, SsrError } from '@ng-ssr/core/adapter';
import type { Feature } from '@ng-ssr/core';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HTTPVersion, Instance } from 'find-my-way';
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
import { runMiddleware } from './run-middleware.ts';
import { type NodeMiddleware, SsrPipeline } from './adapter/ssr-pipeline.ts';
import type { RouterFeature, TakeUnrouted } from './with-router.ts';

/** Options of {@link createNodeSsrServer}. */
export type NodeSsrOptions = AdapterOptions<[IncomingMessage, ServerResponse]>;

/** An Angular SSR server on node:http. */
export interface NodeSsrServer extends SsrServer {
  /**
   * Your routes (find-my-way), after built files and cached pages, before rendering.
   *
   * @throws SsrError `NG_SSR_OPTION_INVALID` without `withRouter()` among the features
   */
  readonly router: Instance<HTTPVersion.V1>;
  /** Adds a middleware. They run before the pages, in the order of the calls. */
  use(middleware: NodeMiddleware): NodeSsrServer;
}

/**
 * Creates an Angular SSR server on node:http, with Connect-style middleware, and routes with `withRouter()`.
 *
 * @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN`, `NG_SSR_BROWSER_FOLDER_MISSING`,
 * `NG_SSR_INDEX_FAILED`, `NG_SSR_FEATURE_FAILED`, `NG_SSR_PLATFORM_INVALID`
 * @example
 * ```ts
 * const server = createNodeSsrServer({ engine: appEngine(), allowedHosts: ['shop.example'] });
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
  const takeUnrouted: TakeUnrouted = (request, response, methodsOf) => {
    const notFound = (): void => {
      const exchange = takeParsed(new NodeExchange(request, response));
      writeAnswer(response, handler.notFound(exchange));
    };
    void pipeline.render(request, response, nextOf.get(request) ?? notFound, methodsOf);
  };
  const nextOf = new WeakMap<IncomingMessage, () => void>();
  const router = ssr.features?.find(isRouter)?.createRouter(takeUnrouted);

  const route = (request: IncomingMessage, response: ServerResponse): void => {
    if (router === undefined) return takeUnrouted(request, response);
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

  const server = {
    ...toServer(handler, requests, routes),
    use(added: NodeMiddleware) {
      middleware.push(added);
      return server;
    },
  } as NodeSsrServer;
  // Not enumerable: a copy of the server must not throw.
  return Object.defineProperty(server, 'router', { get: () => router ?? refuseRouter() });
}

function isRouter(feature: Feature): feature is RouterFeature {
  return 'createRouter' in feature;
}

function refuseRouter(): never {
  const message =
    'server.router is a feature: write features: [withRouter()], and import withRouter from @ng-ssr/node';
  throw new SsrError('NG_SSR_OPTION_INVALID', message);
}
