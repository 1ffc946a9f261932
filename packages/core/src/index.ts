export type { Answer, Exchange, LargeFile } from './exchange.ts';
export type { EngineSetup, RenderEngine } from './engine.ts';
export { ERROR_CODES, SsrError, type SsrErrorCode } from './errors.ts';
export { SsrHandler } from './ssr-handler.ts';
export { assertKnownOptions, check, OPTION_NAMES, type SsrOptions } from './options.ts';
export { addVary } from './http/header-list.ts';
export type { ContentCoding } from './http/accept-encoding.ts';
