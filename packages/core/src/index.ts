export type { Answer, Exchange, FileAnswer } from './exchange.ts';
export type { ConstantPage, ConstantPages, EngineSetup, RenderEngine } from './engine.ts';
export { ERROR_CODES, SsrError, type SsrErrorCode } from './errors.ts';
export { SsrHandler } from './ssr-handler.ts';
export { assertKnownOptions, check } from './check-option.ts';
export { OPTION_NAMES, type SsrOptions } from './options.ts';
export { addVary, toNotModifiedFields } from './http/header-list.ts';
export { toHttpDate } from './http/http-date.ts';
export { evaluatePreconditions } from './http/select.ts';
export type {
  CacheOptions,
  NonceOptions,
  PrewarmOptions,
  RouteRule,
} from './stored/cache-options.ts';
export type {
  Lease,
  PageStore,
  Purge,
  StoredEntry,
  StoredPage,
  Variants,
} from './stored/page-store.ts';
export type {
  InspectOptions,
  StoredPageReport,
  StoredPages,
  StoredPagesReport,
} from './stored/stored-pages.ts';
export { isUnsafe, type RouteAnswer } from './stored/invalidation.ts';
export { type DocumentNonce, markNonces } from './nonce/document-nonce.ts';
export { unhandledErrors } from './render/render-scope.ts';
export type { RenderOptions, Rung } from './render/render-options.ts';
export type { ProbeOptions, ReadyProbeOptions } from './probes/probe-options.ts';
export type { RequestLogEntry, RequestLogOptions } from './telemetry/request-log-options.ts';
export type { ErrorPageOptions } from './error-pages/error-page-options.ts';
export * from './telemetry/channels.ts';
export { contentTypeOf } from './built/content-type.ts';
export type { FileContent } from './built/file-content.ts';
export { isMain } from './is-main.ts';
export { refuse } from './refusal.ts';
export type { ContentCoding } from './http/accept-encoding.ts';
