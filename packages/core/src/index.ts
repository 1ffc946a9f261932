/** What programs name, and authors of engines and page stores. Every adapter exports all of it. */
export { ERROR_CODES, SsrError, type SsrErrorCode } from './errors.ts';
export { isMainModule } from './is-main-module.ts';

export type { SsrOptions } from './handler/options.ts';
export type { Feature } from './path/feature.ts';
export { withHeaders } from './features/headers/with-headers.ts';
export type { ResponseHeaders } from './features/headers/added-headers.ts';
export { withServerTiming } from './features/server-timing/with-server-timing.ts';
export { withSpeculationRules } from './features/speculation-rules/with-speculation-rules.ts';
export type { FillContext, IslandContext, SlotOptions } from './features/slots/slot-options.ts';
export type { SlotsOptions } from './features/slots/endpoint-options.ts';
export { withSlots, type SlotsSettings } from './features/slots/with-slots.ts';
export { withEarlyHints } from './features/early-hints/with-early-hints.ts';
export type { HostCheck } from './host/host-check.ts';
export type { ProxyHeader } from './host/proxy-headers.ts';
export { platformHosts } from './host/platform-hosts.ts';
export type { CacheOptions, RouteRule, RouteRuleOptions } from './pages/options/cache-options.ts';
export { withCalls, type CallsSettings } from './features/calls/with-calls.ts';
export type {
  CallCacheRule,
  CallRule,
  CallRules,
  CallsOptions,
} from './features/calls/rules/call-rule.ts';
export { withLocales } from './features/locales/with-locales.ts';
export type { LocaleSource, LocalesOptions } from './features/locales/locales-options.ts';
export { withNonce } from './features/nonce/with-nonce.ts';
export type { NonceOptions } from './features/nonce/nonce-options.ts';
export { withPublicConfig } from './features/public-config/with-public-config.ts';
export * from './features/render-threads/with-render-threads.ts';
export type { RenderThreadsOptions } from './features/render-threads/render-threads-options.ts';
export * from './features/server-threads/with-server-threads.ts';
export type { Fallback } from './render/fallbacks.ts';
export type { RenderOptions } from './render/render-options.ts';
export type { ContentEncoding } from './http/accept-encoding.ts';
export type { ProbeOptions, ReadyProbeOptions } from './probes/probe-options.ts';
export type { FilesOptions } from './files/files-options.ts';
export { withOldBuilds, type OldBuildsSettings } from './features/old-builds/with-old-builds.ts';
export type { OldBuildsOptions } from './features/old-builds/old-builds-options.ts';
export type * from './features/old-builds/build-store.ts';
export type { ErrorPageOptions } from './files/error-page-options.ts';
export { withInspector } from './features/inspector/with-inspector.ts';
export type { InspectorOptions } from './features/inspector/inspector-options.ts';
export type * from './features/inspector/protocol.ts';
export { withPrewarm } from './features/prewarm/with-prewarm.ts';
export type { PrewarmOptions } from './features/prewarm/prewarm-options.ts';
export { withPurgeEndpoint } from './features/purge-endpoint/with-purge-endpoint.ts';
export type { PurgeEndpointOptions } from './features/purge-endpoint/purge-endpoint-options.ts';
export { withRequestLog } from './features/request-log/with-request-log.ts';
export type {
  RequestLogEntry,
  RequestLogOptions,
} from './features/request-log/request-log-options.ts';

export type { Purge } from './purge.ts';
export type { CountPurged, PurgeReach } from './pages/purge-reach.ts';
export type { Refresh, RefreshReport } from './pages/refreshes.ts';
export type {
  InspectOptions,
  StoredPageReport,
  StoredPages,
  StoredPagesReport,
} from './pages/stored-pages.ts';
export type { StoredPage, Variants } from './pages/stored-page.ts';
export type { Lease } from './pages/tier.ts';
export type { PageStore, StoredEntry } from './features/shared-store/page-store.ts';
export { withDictionaries } from './features/dictionaries/with-dictionaries.ts';
export { withSharedStore } from './features/shared-store/with-shared-store.ts';
export type { SharedStoreOptions } from './features/shared-store/shared-store-options.ts';

export { withEdge } from './features/edge/with-edge.ts';
export type { Edge, EdgePage } from './features/edge/edge.ts';

export type * from './engine.ts';
export { type DocumentNonce, markNonces } from './document-nonce.ts';
export { insertPublicConfig } from './insert-public-config.ts';
export { currentRender, type CurrentRender, unhandledErrors } from './render/render-scope.ts';

export * from './telemetry/channels.ts';
export type * from './telemetry/server-description.ts';
