import type { Server } from 'node:net';
import { setImmediate } from 'node:timers/promises';

/** Connections that wait to be accepted at most, by Node's default. */
const BACKLOG = 511;

/** Short: even at a thousand connections a second hardly one comes in this time. */
const SHORT_TURN_MS = 0.1;

/**
 * Takes no new connections, and leaves those that are there alone.
 *
 * Those that wait to be accepted, one a turn, would be reset: it comes behind a turn that has brought
 * none and was too short for more to gather.
 */
export async function refuseConnections(server: Server): Promise<void> {
  let hasAccepted = false;
  const onConnection = (): void => void (hasAccepted = true);
  server.on('connection', onConnection);
  // The present turn may be past the point where it accepts.
  await setImmediate();
  for (let turn = 0; turn < BACKLOG; turn++) {
    hasAccepted = false;
    const sinceMs = performance.now();
    await setImmediate();
    if (!hasAccepted && performance.now() - sinceMs < SHORT_TURN_MS) break;
  }
  server.off('connection', onConnection);
  const own = server as { closeIdleConnections?: () => void };
  // http.Server's own close would call it.
  own.closeIdleConnections = () => undefined;
  server.close();
  delete own.closeIdleConnections;
}
