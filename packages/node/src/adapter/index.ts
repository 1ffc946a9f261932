/** For authors of adapters on Node: the bridge that the adapters of ng-ssr share. */
export {
  keepParsed,
  NodeExchange,
  type NodeRequest,
  type NodeResponse,
  takeParsed,
  toExchange,
  wholeTarget,
} from './node-exchange.ts';
export { closeWith, ContentStream } from './content-stream.ts';
export { sendStreamed } from './send-streamed.ts';
export { type HeaderValue, isKept, keepPrivate, keptValue } from './keep-private.ts';
export { mergeVary } from './merge-vary.ts';
export { answerFailure, keepPart, sendAnswer, setHeaders, writeAnswer } from './write-answer.ts';
export {
  type Listening,
  readPort,
  type SsrServer,
  startListening,
  toListening,
  toServer,
} from './listen.ts';
export { orEndWithFailure } from './failed-start.ts';
export { checkListen, type ListenOptions } from './listen-options.ts';
export { type ListenAddress, readSocket } from './inherited-socket.ts';
export { type SsrLifecycle, toLifecycle } from './lifecycle.ts';
export { isOfHttp2, rememberHttp2 } from './http2-requests.ts';
export { withCalls } from './in-process/with-calls.ts';
export { withSlots } from './in-process/with-slots.ts';
export { type RequestListener, requestListener } from './request-listener.ts';
export type { NodeListener } from './node-listener.ts';
export { watchAnswer } from './watch-answer.ts';
export {
  checkShutdown,
  type Drainable,
  shutDownOnSignals,
  type ShutdownOptions,
} from '@ng-ssr/core/shutdown';
export { type Hits, type AdapterOptions, type SplitOptions, splitOptions } from './options.ts';
export { type FailureOptions, type NodeMiddleware, SsrPipeline } from './ssr-pipeline.ts';
export { toReqHandler } from './to-req-handler.ts';
export { SsrHandler } from './ssr-handler.ts';
export { isMainModule } from '@ng-ssr/core';
export * from '@ng-ssr/core/adapter';
