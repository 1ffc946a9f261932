/** Shutdown for adapters: what they share, and Node's connections. */
export { type AnsweredAhead, answeredAhead } from './answered-ahead.ts';
export { type Connections, QUIET_MS } from './connections.ts';
export { endWithFailure, noteFailure, noteStart } from '../failed-start.ts';
export { followStart } from './follow-start.ts';
export type { Drainable } from './graceful-shutdown.ts';
export { drainOnSignals, shutDownOnSignals, toConnections } from './shut-down-on-signals.ts';
export { checkShutdown, type ShutdownOptions } from './shutdown-options.ts';
