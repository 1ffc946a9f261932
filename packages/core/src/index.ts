export type { Answer, Exchange, LargeFile } from './exchange.ts';
export type { EngineSetup, RenderEngine } from './engine.ts';
export { ERROR_CODES, SsrError, type SsrErrorCode } from './errors.ts';
