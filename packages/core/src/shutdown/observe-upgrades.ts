import type { IncomingMessage } from 'node:http';
import type { Server, Socket } from 'node:net';

/**
 * Calls back for each connection that the user's own listener may upgrade to another protocol (RFC 9110
 * section 7.8). It is never the only listener: Node would then pass it every upgrade request.
 */
export function observeUpgrades(
  server: Server,
  onUpgrade: (request: IncomingMessage, socket: Socket) => void,
): void {
  const listener = (request: IncomingMessage, socket: Socket): void => onUpgrade(request, socket);
  if (server.listenerCount('upgrade') > 0) server.prependListener('upgrade', listener);
  server.on('newListener', (event: string) => {
    if (event !== 'upgrade' || server.listenerCount('upgrade') > 0) return;
    process.nextTick(() => {
      if (server.listenerCount('upgrade') > 0) server.prependListener('upgrade', listener);
    });
  });
  server.on('removeListener', (event: string) => {
    const isAlone = event === 'upgrade' && server.listenerCount('upgrade') === 1;
    if (isAlone) server.off('upgrade', listener);
  });
}
