import type { RequestListener } from 'node:http';
import type { HttpServer } from './http-server.ts';

/**
 * Calls back for each request before the listeners that answer it, once or twice. Libraries such as socket.io
 * remove all listeners and call them for some requests only, which would hide the others.
 */
export function observeRequests(server: HttpServer, onRequest: RequestListener): void {
  server.prependListener('request', onRequest);
  server.on('removeListener', (event: string, listener: unknown) => {
    if (event !== 'request' || listener !== onRequest) return;
    process.nextTick(() => server.prependListener('request', onRequest));
  });
}
