import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type NodeSsrOptions,
  splitOptions,
  SsrHandler,
  type SsrLifecycle,
  toLifecycle,
  watchAnswer,
} from './adapter/index.ts';
import { type NodeMiddleware, SsrPipeline } from './adapter/ssr-pipeline.ts';

/** What {@link ssrMiddleware} makes: a middleware, and what it has for the server around it. */
export interface SsrMiddleware extends NodeMiddleware, SsrLifecycle {
  /**
   * Optional, in front of your own routes: one of them that answers an unsafe request (POST, PUT,
   * DELETE, ...) with 2xx or 3xx removes the stored pages of its path (RFC 9111 section 4.4).
   */
  watch(request: IncomingMessage, response: ServerResponse): void;
}

/**
 * The middleware alone, for a server that is there already: anything that takes
 * `(request, response, next)`. Put it behind your own routes; `next` is called for paths that the
 * application does not have; failures are answered with a 500, and told to `onError`.
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
  options: Omit<NodeSsrOptions<[IncomingMessage, ServerResponse]>, 'lane'>,
): SsrMiddleware {
  const { ssr, requestContext } = splitOptions(options);
  const handler = new SsrHandler(ssr);
  const pipeline = new SsrPipeline(handler, requestContext);
  const middleware: NodeMiddleware = (request, response, next) => {
    if (pipeline.answer(request, response)) return;
    void pipeline.complete(request, response, next);
  };
  const watch: SsrMiddleware['watch'] = (request, response) =>
    watchAnswer(handler, request, response);
  return Object.assign(middleware, { watch, ...toLifecycle(handler) });
}
