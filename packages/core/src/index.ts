export type { Answer, Exchange, FileAnswer, FileContent } from './exchange.ts';
export type { ConstantPage, ConstantPages, EngineSetup, RenderEngine } from './engine.ts';
export { ERROR_CODES, SsrError, type SsrErrorCode } from './errors.ts';
export { SsrHandler } from './handler/ssr-handler.ts';
export { assertKnownOptions, check } from './check-option.ts';
export { OPTION_NAMES, type SsrOptions } from './handler/options.ts';
export { addVary, toNotModifiedFields } from './http/header-list.ts';
export { toHttpDate } from './http/http-date.ts';
export { evaluatePreconditions } from './answers/select.ts';
export type { CacheOptions, PrewarmOptions, RouteRule } from './pages/options/cache-options.ts';
export type {
  Lease,
  PageStore,
  StoredEntry,
  StoredPage,
  Variants,
} from './pages/store/page-store.ts';
export type {
  InspectOptions,
  StoredPageReport,
  StoredPages,
  StoredPagesReport,
} from './pages/stored-pages.ts';
export { isUnsafe, type RouteAnswer } from './pages/policy/invalidation.ts';
export type { NonceOptions } from './answers/nonce-options.ts';
export { type DocumentNonce, markNonces } from './document-nonce.ts';
export { unhandledErrors } from './render/render-scope.ts';
export type { RenderOptions, Fallback } from './render/render-options.ts';
export type { ProbeOptions, ReadyProbeOptions } from './probes/probe-options.ts';
export type { RequestLogEntry, RequestLogOptions } from './telemetry/request-log-options.ts';
export type { FilesOptions } from './files/files-options.ts';
export type { ErrorPageOptions } from './files/error-page-options.ts';
export * from './telemetry/channels.ts';
export { contentTypeOf } from './http/content-type.ts';
export type { Purge } from './purge.ts';
export { isMainModule } from './is-main-module.ts';
export { refuse } from './answers/refusal.ts';
export type { ContentCoding } from './http/accept-encoding.ts';
