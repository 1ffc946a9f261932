import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type AdapterOptions,
  type NodeRequest,
  type NodeResponse,
  splitOptions,
  SsrHandler,
  type SsrLifecycle,
  toLifecycle,
} from './adapter/index.ts';
import { SsrPipeline } from './adapter/ssr-pipeline.ts';

/** The result of {@link ssrMiddleware}: the middleware, its synchronous part `answer`, and its lifecycle. */
export interface SsrMiddleware extends SsrLifecycle {
  /** Serves files and pages to requests of node:http, node:https and node:http2. */
  (request: NodeRequest, response: NodeResponse, next: (error?: unknown) => void): unknown;
  /**
   * Serves cached pages and files, and calls `next` for other requests. Optional. Place it before your routes to save
   * their cost, and to remove cached pages after a POST, PUT, PATCH or DELETE to their path (RFC 9111 section 4.4).
   */
  readonly answer: (
    request: NodeRequest,
    response: NodeResponse,
    next: (error?: unknown) => void,
  ) => unknown;
}

/**
 * Creates a middleware `(request, response, next)` for an existing server. Put it after your own routes. It calls
 * `next` for paths that the application does not have. If a render fails, the response is a 500 and `onError` gets the
 * error.
 *
 * @param options - As for {@link createNodeSsrServer}, without `serveHits`.
 * @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN`, `NG_SSR_BROWSER_FOLDER_MISSING`,
 * `NG_SSR_INDEX_FAILED`, `NG_SSR_FEATURE_FAILED`, `NG_SSR_PLATFORM_INVALID`
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
  if (routes !== undefined) handler.useListener(routes);
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
