/** For authors of features: what a feature is, what it can add to a server, and what its options are checked with. */
export type { Extension, Feature, HeldFile, RunningServer, ServerCore } from './path/feature.ts';
export type { Endpoint } from './path/endpoint.ts';
export { type Said, sayRefused, type Substitute } from './path/substitute.ts';
export type { ParsedRequest } from './path/parsed-request.ts';
export type { Answer, Exchange, FileAnswer } from './exchange.ts';
export type { Representation } from './answers/representation.ts';
export type { DictionaryForms, Resource } from './answers/resource.ts';
export { heldFile } from './path/held-file.ts';
export { SsrError, type SsrErrorCode } from './errors.ts';
export { check } from './check-option.ts';
export { group, option, type Option, optional, type Table, withDefault } from './options/option.ts';
export { callable, count, flag, milliseconds, text } from './options/option-values.ts';
