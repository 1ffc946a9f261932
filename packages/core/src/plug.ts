/** For authors of features: what a feature is, what it can add to a server, and what its options are checked with. */
export type { Extension, Feature, HeldFile, RunningServer, ServerCore } from './path/feature.ts';
export type { Endpoint, EndpointRoute } from './path/endpoint.ts';
export { type Said, sayRefused, type Substitute } from './path/substitute.ts';
export type { FeatureRequest } from './path/feature-request.ts';
export type { Answer, Exchange, StreamedAnswer } from './exchange.ts';
export type { Representation } from './answers/representation.ts';
export type { DictionaryForms, Resource } from './answers/resource.ts';
export { type AnswerHead, createAnswer } from './path/create-answer.ts';
export { heldFile } from './path/held-file.ts';
export type { CountPurged, PurgeReach } from './pages/purge-reach.ts';
export type { Refresh, RefreshReport } from './pages/refreshes.ts';
export type { InspectOptions, StoredPages } from './pages/stored-pages.ts';
export type { Purge } from './purge.ts';
export { SsrError, type SsrErrorCode } from './errors.ts';
export { check, checkKey, isOptionObject, keyOf } from './check-option.ts';
export {
  eachOf,
  group,
  listOf,
  option,
  type Option,
  optional,
  type Table,
  withDefault,
} from './options/option.ts';
export { callable, count, flag, milliseconds, targetPath, text } from './options/option-values.ts';
export type * from './pages/traits/page-trait.ts';
export type { Fill } from './answers/fill.ts';
export type { Choose } from './answers/resource.ts';
export type { EncodingWithDictionary } from './answers/encoder.ts';
export type { AcceptedEncodings, NegotiableEncoding } from './http/accept-encoding.ts';
export type { Reason } from './pages/policy/may-store.ts';
export type { StoredPage } from './pages/stored-page.ts';
