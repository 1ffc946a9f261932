import { errorMonitor, type EventEmitter } from 'node:events';
import type { Server } from 'node:net';
import { noteFailure, noteStart } from '../failed-start.ts';

/** Notes whether a server of the caller's listens, or why it cannot: then the process ends with 1. */
export function followStart(server: Server): void {
  if (server.listening) return noteStart();
  const events: EventEmitter = server;
  events.once(errorMonitor, noteFailure).once('listening', () => {
    events.off(errorMonitor, noteFailure);
    noteStart();
  });
}
