/**
 * For platforms without Node's modules: no module that it imports needs one. For authors of adapters and engines
 * that run there too.
 */
export { ERROR_CODES, SsrError, type SsrErrorCode } from './errors.ts';
export { NeutralHandler } from './handler/neutral-handler.ts';
export {
  assertNoNodeOptions,
  NEUTRAL_OPTION_NAMES,
  type NeutralCacheOptions,
  type NeutralOptions,
  type NeutralRenderOptions,
} from './handler/neutral-options.ts';
export type { Feature } from './path/feature.ts';
export { withPurgeEndpoint } from './features/purge-endpoint/with-purge-endpoint.ts';
export { withHeaders } from './features/headers/with-headers.ts';
export type { ResponseHeaders } from './features/headers/added-headers.ts';
export { withServerTiming } from './features/server-timing/with-server-timing.ts';
export { withSlots } from './features/slots/with-slots.ts';
export type { FillContext, IslandContext, SlotOptions } from './features/slots/slot-options.ts';
export type { SlotsOptions } from './features/slots/endpoint-options.ts';
export type { PurgeEndpointOptions } from './features/purge-endpoint/purge-endpoint-options.ts';
export type { FileFacts } from './files/evaluate-file.ts';
export type {
  AssetEntry,
  BuildManifest,
  InlinedFile,
  InlinedForm,
} from './files/manifest/build-manifest.ts';
export { AssetContent, type FetchAsset } from './files/manifest/asset-file.ts';
export { assertKnownOptions, copyOptions } from './check-option.ts';
export { group, optional, splitTable, type Table, withDefault } from './options/option.ts';
export { callable, flag } from './options/option-values.ts';
export { headersBeside, headersForOne, isForCaches } from './http/edge-headers.ts';
export { addVary } from './http/header-list.ts';
export { markNonces } from './document-nonce.ts';
export { insertPublicConfig } from './insert-public-config.ts';
export { unhandledErrors } from './render/render-scope.ts';
export { channelOf } from './telemetry/channels.ts';
export { createWholeResponse } from './response-body.ts';
export type { Answer, Exchange, StreamedAnswer, StreamedContent } from './exchange.ts';
export { UNREADABLE_REQUEST } from './unreadable-request.ts';
export { isUnsafe, type RouteAnswer } from './pages/policy/invalidation.ts';
