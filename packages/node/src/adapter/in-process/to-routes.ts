import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import type { Server } from 'node:http';
import type { RouteRequest, RouteResponse, Routes } from '@ng-ssr/core/adapter';
import { http } from '../node-http.ts';
import type { NodeListener } from '../node-listener.ts';
import { Exchange } from './exchange.ts';
import { MemorySocket } from './memory-socket.ts';

/** Forwarded cookies and tokens may be long; they have passed the server's own limit. */
const MAX_HEADER_BYTES = 128 * 1024;
/** Idle connections. */
const MOST_FREE = 32;
/** How long a route may work on after its response is complete. The runtime's `fetch` closes its connections then. */
const ROUTE_ENDS_MS = 4000;
/** Methods of requests that have no content as a rule, and then no Content-Length (RFC 9110 section 8.6). */
const WITHOUT_CONTENT = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS']);
/** What no header may contain (RFC 9110 section 5.5). */
const INVALID = /[^\t\r\n\x20-\x7e\x80-\xff]/;

/**
 * A listener of node:http as {@link Routes}: requests reach it over connections within the process, whose server is
 * node:http's own. So requests and responses are those of node:http in all they do, whatever frameworks make of them.
 */
export function toRoutes(listener: NodeListener): Routes {
  // Only a server with `inProcess` calls needs connections.
  let connections: Connections | undefined;
  return (request) => (connections ??= new Connections(listener)).send(request);
}

class Connections {
  readonly #server: Server;
  readonly #plain: MemorySocket[] = [];
  readonly #encrypted: MemorySocket[] = [];
  /** Connections outlive the call that opens them. */
  readonly #runAtStart = AsyncLocalStorage.snapshot();

  constructor(listener: NodeListener) {
    this.#server = http.createServer(
      {
        maxHeaderSize: MAX_HEADER_BYTES,
        keepAliveTimeout: 0,
        requestTimeout: 0,
        headersTimeout: 0,
      },
      (request, response) => {
        const socket = request.socket as unknown as MemorySocket;
        socket.response = response;
        socket.call!.runInAsyncScope(listener, undefined, request, response);
      },
    );
  }

  send(request: RouteRequest): Promise<RouteResponse> {
    const head = toHead(request);
    const { url } = request;
    const isEncrypted = url.protocol === 'https:';
    const idle = isEncrypted ? this.#encrypted : this.#plain;
    // By then most routes have ended, and the server closes a connection that it does not keep.
    const free = (socket: MemorySocket): void => void setImmediate(keepOnceEnded, socket, idle);
    return new Promise((resolve, reject) => {
      const socket = this.#takeIdle(idle) ?? this.#connect(isEncrypted);
      // A third of what a snapshot costs.
      socket.call = new AsyncResource('NgSsrCall');
      socket.localPort = Number(url.port);
      new Exchange(socket, request, { resolve, reject, free }).start(head);
    });
  }

  #takeIdle(idle: MemorySocket[]): MemorySocket | undefined {
    for (;;) {
      const socket = idle.pop();
      if (socket === undefined || (socket.writable && !socket.destroyed)) return socket;
    }
  }

  #connect(isEncrypted: boolean): MemorySocket {
    return this.#runAtStart(() => {
      const socket = new MemorySocket(isEncrypted);
      this.#server.emit('connection', socket);
      return socket;
    });
  }
}

/** A route that has not ended may write more than it has announced, and the next response would wait for its end. */
function keepOnceEnded(socket: MemorySocket, idle: MemorySocket[]): void {
  const { response } = socket;
  if (response?.writableFinished === true) return keep(socket, idle);
  const timer = setTimeout(() => socket.destroy(), ROUTE_ENDS_MS).unref();
  response?.once('close', () => {
    clearTimeout(timer);
    if (!socket.destroyed) keep(socket, idle);
  });
}

function keep(socket: MemorySocket, idle: MemorySocket[]): void {
  socket.client = undefined;
  socket.call = undefined;
  socket.response = undefined;
  if (idle.length < MOST_FREE) idle.push(socket);
  else socket.destroy();
}

/** @throws TypeError for a header that no connection takes. */
function toHead({ method, url, headers, body }: RouteRequest): string {
  const name = method.toUpperCase();
  let head = `${name} ${url.pathname}${url.search} HTTP/1.1\r\n`;
  for (const [each, value] of headers) head += `${each}: ${value}\r\n`;
  if (body instanceof Uint8Array) head += `Content-Length: ${body.byteLength}\r\n`;
  else if (body !== null) head += 'Transfer-Encoding: chunked\r\n';
  else if (!WITHOUT_CONTENT.has(name)) head += 'Content-Length: 0\r\n';
  if (INVALID.test(head)) throw new TypeError('Invalid character in header content');
  return `${head}Connection: keep-alive\r\n\r\n`;
}
