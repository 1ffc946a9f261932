import { errorMonitor, type EventEmitter } from 'node:events';
import type { Server } from 'node:net';
import type { Connections } from './connections.ts';
import { exitOnSignals } from './exit-on-signals.ts';
import { followStart } from './follow-start.ts';
import { type Drainable, GracefulShutdown } from './graceful-shutdown.ts';
import { Http2Connections } from './http2-connections.ts';
import { MixedConnections } from './mixed-connections.ts';
import { NodeConnections } from './node-connections.ts';
import { shareOf } from './share-of.ts';
import { resolveShutdown, type ShutdownOptions } from './shutdown-options.ts';

/**
 * Shuts down your own server on SIGTERM and SIGINT, as `listen` does with its option `shutdown`: open requests
 * complete, and the process exits. Call it before the server has connections, in the same turn of the event loop as its
 * `listen`. Servers with the same target drain and close it with the last of them.
 *
 * @param target - The handler or middleware of ng-ssr.
 * @param shutdown - Times in milliseconds; `false` leaves signals to you. Default: `{ graceMs: 0, timeoutMs: 10_000 }`.
 * @returns A function that shuts the server down without a signal, and stops listening to signals.
 * @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN`
 * @example
 * ```ts
 * const close = shutDownOnSignals(createServer(listener).listen(4000), handler, { graceMs: 5000 });
 * ```
 */
export function shutDownOnSignals(
  server: Server,
  target: Drainable,
  shutdown?: ShutdownOptions | false,
): () => Promise<void> {
  return shutDown(server, toConnections(server), target, shutdown);
}

/** The same for a server whose connections are among others. */
export function shutDown(
  server: Server,
  connections: Connections,
  target: Drainable,
  shutdown: ShutdownOptions | false | undefined,
): () => Promise<void> {
  const share = shareOf(target);
  server.once('close', share.leave);
  (server as EventEmitter).once(errorMonitor, () => {
    // The server could not listen.
    if (!server.listening) share.leave();
  });
  const end = drainOnSignals(connections, share, shutdown);
  // Last: a wrong option fails the start, although the server may listen already.
  followStart(server);
  return end;
}

/**
 * The same for connections of any server.
 *
 * @param connections - Undefined if they are unknown: then only `target` is drained and closed.
 */
export function drainOnSignals(
  connections: Connections | undefined,
  target: Drainable,
  shutdown: ShutdownOptions | false | undefined,
): () => Promise<void> {
  const { onSignals, ...times } = resolveShutdown(shutdown);
  const end = new GracefulShutdown(connections, shareOf(target), times);
  const leave = onSignals ? exitOnSignals(() => end.run()) : undefined;
  return async () => {
    await end.run();
    leave?.();
  };
}

/** The connections of a server of HTTP/1.1 or HTTP/2 that has none yet. */
export function toConnections(server: Server): Connections {
  if (isHttp1(server)) return new NodeConnections(server);
  return 'setSecureContext' in server ? new MixedConnections(server) : new Http2Connections(server);
}

/** Importing node:http would load `fetch`, which a server needs later, or never. */
function isHttp1(server: Server): boolean {
  if (server instanceof process.getBuiltinModule('node:http').Server) return true;
  return server instanceof process.getBuiltinModule('node:https').Server;
}
