/** For authors of adapters on Node: the bridge that ours share. */
export { NodeExchange, type NodeRequest, type NodeResponse } from './node-exchange.ts';
export { mergeVary, setFields, writeAnswer } from './write-answer.ts';
export {
  Listener,
  type Listening,
  type ListenOptions,
  readPort,
  type SsrServer,
  toListening,
} from './listen.ts';
export { answerProbe } from './answer-probe.ts';
export type { Drainable } from './graceful-shutdown.ts';
export { shutDownOnSignals } from './shut-down-on-signals.ts';
export { resolveShutdown, type ShutdownOptions } from './shutdown-options.ts';
export { type Lane, type NodeSsrOptions, splitOptions } from './options.ts';
export { type NodeMiddleware, SsrPipeline } from './ssr-pipeline.ts';
export { toReqHandler } from './to-req-handler.ts';
export { isMain, SsrHandler } from '@ng-ssr/core';
