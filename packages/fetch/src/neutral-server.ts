/** The handler for platforms without Node's modules, without the engine: for programs that the Angular CLI does not bundle. */
export {
  createNeutralSsrHandler,
  type NeutralSsrHandler,
  type NeutralSsrOptions,
} from './create-neutral-ssr-handler.ts';
export type { Halves } from './halves.ts';
export type { Content, EarlierResponse, ResponseFactory } from './to-response.ts';
export { toReqHandler } from './to-req-handler.ts';
export {
  channelOf,
  ERROR_CODES,
  SsrError,
  type SsrErrorCode,
  withHeaders,
  withPurgeEndpoint,
  withServerTiming,
  withSlots,
} from '@ng-ssr/core/neutral';
export type {
  BuildManifest,
  Feature,
  FillContext,
  NeutralCacheOptions,
  NeutralOptions,
  NeutralRenderOptions,
  PurgeEndpointOptions,
  ResponseHeaders,
  SlotOptions,
  SlotsOptions,
} from '@ng-ssr/core/neutral';
export type {
  ErrorPageOptions,
  CountPurged,
  Fallback,
  Purge,
  PurgeReach,
  Refresh,
  RefreshReport,
  RenderEngine,
  RouteRule,
  StoredPages,
} from '@ng-ssr/core';
