/** The handler without the engines: for programs that the Angular CLI does not bundle. */
export {
  createFetchSsrHandler,
  type FetchSsrHandler,
  type FetchSsrOptions,
} from './create-fetch-ssr-handler.ts';
export type { BunServer, DenoServer, FetchServer, SrvxServer } from './shutdown/fetch-server.ts';
export { shutDownOnSignals } from './shutdown/shut-down-on-signals.ts';
export type { Drainable, ShutdownOptions } from '@ng-ssr/core/shutdown';
export type { Halves } from './halves.ts';
export type { Content, EarlierResponse, ResponseFactory } from './to-response.ts';
export { toReqHandler } from './to-req-handler.ts';
export * from '@ng-ssr/core';
