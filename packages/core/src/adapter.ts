/** For authors of adapters: the handler, its requests and answers, and what checks options. */
export { SsrHandler } from './handler/ssr-handler.ts';
export type { Answer, Exchange, StreamedAnswer, StreamedContent } from './exchange.ts';
export type { EndpointRoute } from './path/endpoint.ts';
export type { RouteRequest, RouteResponse, Routes } from './path/routes.ts';
export { isUnsafe, type RouteAnswer } from './pages/policy/invalidation.ts';
export { evaluatePreconditions } from './answers/select.ts';
export type { Validators } from './answers/representation.ts';
export { addVary, joinLines } from './http/header-list.ts';
export { headersBeside, headersForOne, isForCaches } from './http/edge-headers.ts';
export { OPTION_NAMES } from './handler/options.ts';
export { assertKnownOptions, check, copyOptions, isOptionObject } from './check-option.ts';
export {
  group,
  option,
  type Option,
  optional,
  resolveTable,
  splitTable,
  type Table,
  withDefault,
} from './options/option.ts';
export { callable, flag, milliseconds, text } from './options/option-values.ts';
export { createWholeResponse, wholeContentOf } from './response-body.ts';
export { toWebStream } from './to-web-stream.ts';
export { isPromise } from './platform/is-promise.ts';
export { type BuiltLocale, BuiltLocales } from './files/built-locales.ts';
export { readBuiltLocales } from './files/read-built-locales.ts';
export { LocalePreference } from './locales/locale-preference.ts';
export { type LocaleBundle, ownBundle } from './render/locale-bundle.ts';
export { loadLocaleBundle } from './render/load-locale-bundle.ts';
export { SsrError } from './errors.ts';
export { isRenderThread } from './render-thread.ts';
export { UNREADABLE_REQUEST } from './unreadable-request.ts';
export type { HandlerThreads, ThreadedStart } from './threads/server-threads.ts';
