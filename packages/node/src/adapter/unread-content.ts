import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isOfHttp2 } from './http2-requests.ts';
import type { NodeRequest, NodeResponse } from './node-exchange.ts';
import { http } from './node-http.ts';

interface Received {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

type ClientError = Error & { readonly code?: string };

/** By connection: the last request with content, until all of it has come. */
const unread = new WeakMap<Socket, Received>();
const watched = new WeakSet<Server>();

/** The statuses of node:http for requests that it cannot read; for others 400. */
const STATUSES: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * Closes the connection of a request that was answered before its content had come, if the rest of the content is
 * malformed. node:http, and Fastify, would answer that rest: a proxy that uses the connection for another client passes
 * the second response on as the answer to the next request.
 */
export function watchContent(request: NodeRequest, response: NodeResponse): void {
  if (!announcesContent(request) || isOfHttp2(request)) return;
  const socket = request.socket as (Socket & { readonly server?: Server }) | undefined;
  if (socket === undefined || unread.get(socket)?.request === request) return;
  const { server } = socket;
  if (!(response instanceof http.ServerResponse) || !server || !areErrorsOfNode()) return;
  if (!watched.has(server)) {
    watched.add(server);
    server.prependListener('clientError', (error: ClientError, failed) =>
      closeOrRefuse(server, error, failed as Socket),
    );
  }
  const received = { request, response };
  unread.set(socket, received);
  request.once('close', () => {
    if (unread.get(socket) === received) unread.delete(socket);
  });
}

/** Other runtimes report other errors, or none. */
function areErrorsOfNode(): boolean {
  const { bun, deno } = process.versions;
  return bun === undefined && deno === undefined;
}

/** Content-Length, even 0, or Transfer-Encoding (RFC 9112 section 6). */
function announcesContent({ rawHeaders }: NodeRequest): boolean {
  // Requests of serverless platforms have none.
  if (rawHeaders === undefined) return false;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 14 && name.toLowerCase() === 'content-length') return true;
    if (name.length === 17 && name.toLowerCase() === 'transfer-encoding') return true;
  }
  return false;
}

function closeOrRefuse(server: Server, error: ClientError, socket: Socket): void {
  const last = unread.get(socket);
  if (last !== undefined && !last.request.complete && last.response.headersSent) {
    destroySoon(socket);
  } else if (server.listenerCount('clientError') === 1) {
    refuse(error, socket);
  }
}

/** Does what node:http does without a listener. */
function refuse({ code = '' }: ClientError, socket: Socket): void {
  const { _httpMessage: current } = socket as { _httpMessage?: { readonly _headerSent?: boolean } };
  if (socket.writable && current?._headerSent !== true) {
    const status = STATUSES[code] ?? 400;
    socket.write(`HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\nConnection: close\r\n\r\n`);
  }
  destroySoon(socket);
}

/** Duplex streams that stand in for sockets may have no such method, and an error here would end the process. */
function destroySoon(socket: Socket): void {
  if (typeof socket.destroySoon === 'function') socket.destroySoon();
  else if (socket.writable) socket.end(() => socket.destroy());
  else socket.destroy();
}
