/** The server without the engines: for programs that the Angular CLI does not bundle. */
export {
  createNodeSsrServer,
  type NodeSsrServer,
  type NodeSsrOptions,
} from './create-node-ssr-server.ts';
export { type SsrMiddleware, ssrMiddleware } from './ssr-middleware.ts';
export { withRouter } from './with-router.ts';
export type { NodeMiddleware } from './adapter/ssr-pipeline.ts';
export {
  type Drainable,
  type Hits,
  type Listening,
  type ListenOptions,
  type AdapterOptions,
  shutDownOnSignals,
  type ShutdownOptions,
  type SsrLifecycle,
  type SsrServer,
  withCalls,
  withSlots,
} from './adapter/index.ts';
export * from '@ng-ssr/core';
