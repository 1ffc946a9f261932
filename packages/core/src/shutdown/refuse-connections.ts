import type { Server } from 'node:net';
import { setImmediate } from 'node:timers/promises';

/** Node's default for the most connections that wait to be accepted. */
const BACKLOG = 511;

/** A short turn of the event loop: even at a thousand connections a second hardly one arrives within it. */
const SHORT_TURN_MS = 0.1;

/**
 * Stops accepting connections, and leaves open ones alone.
 *
 * A close would reset connections that wait to be accepted, and Node accepts one per turn of the event loop.
 * So the server is closed after a turn that has accepted none and was too short for more to queue.
 */
export async function refuseConnections(server: Server): Promise<void> {
  let hasAccepted = false;
  const onConnection = (): void => void (hasAccepted = true);
  server.on('connection', onConnection);
  // The current turn may already be past its accept phase.
  await setImmediate();
  for (let turn = 0; turn < BACKLOG; turn++) {
    hasAccepted = false;
    const sinceMs = performance.now();
    await setImmediate();
    if (!hasAccepted && performance.now() - sinceMs < SHORT_TURN_MS) break;
  }
  server.off('connection', onConnection);
  const own = server as { closeIdleConnections?: () => void };
  // http.Server's own `close` would call it.
  own.closeIdleConnections = () => undefined;
  server.close();
  delete own.closeIdleConnections;
}
