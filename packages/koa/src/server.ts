/** The server without the engines: for programs that the Angular CLI does not bundle. */
export { createKoaSsrServer, type KoaSsrServer } from './create-koa-ssr-server.ts';
export { type KoaSsrOptions, ssrMiddleware } from './ssr-middleware.ts';
export {
  type Listening,
  type ListenOptions,
  shutDownOnSignals,
  type ShutdownOptions,
  type SsrLifecycle,
} from '@ng-ssr/node/adapter';
