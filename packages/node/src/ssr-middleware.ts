import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type NodeSsrOptions,
  splitOptions,
  SsrHandler,
  type SsrLifecycle,
  toLifecycle,
} from './adapter/index.ts';
import { type NodeMiddleware, SsrPipeline } from './adapter/ssr-pipeline.ts';

/**
 * The middleware alone, for a server that is there already: anything that takes
 * `(request, response, next)`. Put it behind your own routes; `next` is called for paths that the
 * application does not have.
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
): NodeMiddleware & SsrLifecycle {
  const { ssr, requestContext } = splitOptions(options);
  const handler = new SsrHandler(ssr);
  const pipeline = new SsrPipeline(handler, requestContext);
  const middleware: NodeMiddleware = (request, response, next) => {
    if (pipeline.answer(request, response)) return;
    pipeline.complete(request, response, next).catch(next);
  };
  return Object.assign(middleware, toLifecycle(handler));
}
