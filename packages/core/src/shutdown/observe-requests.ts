import type { RequestListener } from 'node:http';
import type { Server } from 'node:net';

/**
 * Calls back for each request before the listeners that answer it, once or twice. Libraries such as socket.io
 * remove all listeners and call them for some requests only, which would hide the others.
 */
export function observeRequests(server: Server, onRequest: RequestListener): void {
  server.prependListener('request', onRequest);
  server.on('removeListener', (event: string, listener: unknown) => {
    if (event !== 'request' || listener !== onRequest) return;
    process.nextTick(() => server.prependListener('request', onRequest));
  });
}
