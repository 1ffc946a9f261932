/** For authors of adapters: the handler, its requests and answers, and what checks options. */
export { SsrHandler } from './handler/ssr-handler.ts';
export type { Answer, Exchange, FileAnswer, FileContent } from './exchange.ts';
export type { RouteRequest, RouteResponse, Routes } from './calls/sending/routes.ts';
export { isUnsafe, type RouteAnswer } from './pages/policy/invalidation.ts';
export { evaluatePreconditions } from './answers/select.ts';
export type { Validators } from './answers/representation.ts';
export { addVary } from './http/header-list.ts';
export { fieldsBeside } from './http/edge-fields.ts';
export { OPTION_NAMES } from './handler/options.ts';
export { assertKnownOptions, check } from './check-option.ts';
export { createWholeResponse, wholeContentOf } from './whole-response.ts';
export { SsrError } from './errors.ts';
export { threadsUnavailableBy } from './threads/availability.ts';
export type { HandlerThreads, StartingThreads } from './handler/handler-threads.ts';
export type { ServerThreadsOptions } from './threads/server-threads.ts';
export type { ThreadConnections, ThreadServer } from './threads/thread-server.ts';
