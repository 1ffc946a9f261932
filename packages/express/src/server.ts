/** The server without the engines: for programs that the Angular CLI does not bundle. */
export { createExpressSsrServer, type ExpressSsrServer } from './create-express-ssr-server.ts';
export { type ExpressSsrOptions, type SsrMiddleware, ssrMiddleware } from './ssr-middleware.ts';
export {
  type Listening,
  type ListenOptions,
  shutDownOnSignals,
  type ShutdownOptions,
} from '@ng-ssr/node/adapter';
