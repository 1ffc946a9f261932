import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type AdapterOptions,
  type NodeRequest,
  type NodeResponse,
  splitOptions,
  SsrHandler,
  type SsrLifecycle,
  toLifecycle,
  toRoutes,
} from './adapter/index.ts';
import { SsrPipeline } from './adapter/ssr-pipeline.ts';

/** The result of {@link ssrMiddleware}: a middleware, with a lifecycle for the server around it. */
export interface SsrMiddleware extends SsrLifecycle {
  /** For requests of node:http, node:https and node:http2. */
  (request: NodeRequest, response: NodeResponse, next: (error?: unknown) => void): unknown;
  /**
   * Answers hits, and calls `next` for all other requests. Optional: before your own routes, it keeps
   * the cost of a hit independent of their number; and when a route answers an unsafe request (POST,
   * PUT, DELETE, ...) with 2xx or 3xx, the stored pages of its path are removed (RFC 9111 section 4.4).
   */
  readonly answer: (
    request: NodeRequest,
    response: NodeResponse,
    next: (error?: unknown) => void,
  ) => unknown;
}

/**
 * The middleware alone, for an existing server: anything that takes `(request, response, next)`. Put
 * it after your own routes. `next` is called for paths that the application does not have; failures
 * are answered with a 500 and passed to `onError`.
 *
 * @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN`, `NG_SSR_INDEX_FAILED`
 * @example
 * ```ts
 * const ssr = ssrMiddleware({ engine: appEngine(), allowedHosts: ['shop.example'] });
 * const server = createServer((req, res) => ssr(req, res, () => res.writeHead(404).end()));
 * shutDownOnSignals(server.listen(4000), ssr);
 * ```
 */
export function ssrMiddleware(
  options: Omit<AdapterOptions<[IncomingMessage, ServerResponse]>, 'serveHits'>,
): SsrMiddleware {
  const { ssr, routes, requestContext } = splitOptions(options);
  const handler = new SsrHandler(ssr);
  if (routes !== undefined) handler.useRoutes(toRoutes(routes));
  const pipeline = new SsrPipeline(handler, requestContext);
  const middleware: SsrMiddleware['answer'] = (request, response, next) => {
    // Requests of node:http2 have the members of node:http's, if not the types.
    pipeline.run(request as IncomingMessage, response as ServerResponse, next);
  };
  const answer: SsrMiddleware['answer'] = (request, response, next) => {
    if (!pipeline.answer(request, response)) next();
  };
  return Object.assign(middleware, { answer, ...toLifecycle(handler) });
}
