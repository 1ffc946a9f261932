/** The server without the engines: for programs that the Angular CLI does not bundle. */
export { createExpressSsrServer, type ExpressSsrServer } from './create-express-ssr-server.ts';
export { type ExpressSsrOptions, type SsrMiddleware, ssrMiddleware } from './ssr-middleware.ts';
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
} from '@ng-ssr/node/adapter';
export * from '@ng-ssr/core';
