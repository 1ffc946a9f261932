import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server, Socket } from 'node:net';
import { answeredAhead } from './answered-ahead.ts';
import { type Connections, QUIET_MS } from './connections.ts';
import { observeRequests } from './observe-requests.ts';
import { observeUpgrades } from './observe-upgrades.ts';
import { refuseConnections } from './refuse-connections.ts';

/** A WebSocket's close frame with the code 1001, going away (RFC 6455 section 7.4.1). */
const GOING_AWAY = Uint8Array.of(0x88, 0x02, 0x03, 0xe9);

/** The state of an open connection. */
interface Connection {
  /** The response in flight; of several pipelined requests, the last one's. */
  response: ServerResponse | undefined;
  /** The bytes read when the connection became idle: any more are a request. */
  bytesAtEnd: number;
  /** When the connection became idle (performance.now()). */
  endedAtMs: number;
}

/**
 * The HTTP/1.1 connections of a server, so that they can end without the loss of a request.
 *
 * Node's own `closeIdleConnections`, which `server.close()` calls, treats a connection as idle once its
 * answer has been handed over, and cuts off an answer that a slow client is still reading; and it closes
 * connections on which the next request is on its way.
 */
export class NodeConnections implements Connections {
  readonly #open = new Map<Socket, Connection>();
  /** Upgraded connections, with the time since which they are being closed; undefined before that. */
  readonly #upgraded = new Map<Socket, number | undefined>();
  readonly #webSockets = new WeakSet<Socket>();
  readonly #server: Server;
  readonly #onResponseClose: (this: ServerResponse) => void;
  #isClosing = false;
  #isRefusing = false;
  #onEmpty: (() => void) | undefined;

  /**
   * @param server - A server without connections so far.
   * @param isOfHttp1 - Whether a connection speaks HTTP/1.1, on a server that speaks HTTP/2 too.
   */
  constructor(server: Server, isOfHttp1: (socket: Socket) => boolean = () => true) {
    this.#server = server;
    const end = (response: ServerResponse): void => this.#end(response);
    this.#onResponseClose = function () {
      end(this);
    };
    const connection = 'setSecureContext' in server ? 'secureConnection' : 'connection';
    server.on(connection, (socket: Socket) => {
      if (isOfHttp1(socket)) this.#add(socket);
    });
    observeRequests(server, (request, response) => this.#begin(request, response));
    observeUpgrades(server, ({ headers }, socket) => this.#upgrade(socket, headers.upgrade));
  }

  whenEmpty(): Promise<void> {
    return new Promise((resolve) => {
      this.#onEmpty = resolve;
      this.#checkEmpty();
    });
  }

  announceClose(): void {
    this.#isClosing = true;
    for (const [socket, { response }] of this.#open) {
      if (response !== undefined && !response.headersSent) this.#closeAfter(socket, response);
    }
  }

  async refuse(): Promise<void> {
    await refuseConnections(this.#server);
    this.#isRefusing = true;
    this.#leaveUpgraded();
  }

  /**
   * Call it right after the event loop has polled for I/O (`setImmediate`): then a connection whose next
   * request has reached this machine is no longer idle.
   */
  closeIdle(): number {
    const nowMs = performance.now();
    let nextMs = QUIET_MS;
    for (const [socket, connection] of this.#open) {
      if (!isIdle(connection, socket)) continue;
      const leftMs = connection.endedAtMs + QUIET_MS - nowMs;
      if (leftMs <= 0) socket.destroy();
      else nextMs = Math.min(nextMs, leftMs);
    }
    return this.#isRefusing ? Math.min(nextMs, this.#leaveUpgraded()) : nextMs;
  }

  cut(): number {
    let requests = 0;
    for (const [socket, connection] of this.#open) {
      if (!isIdle(connection, socket)) requests++;
      socket.destroy();
    }
    for (const socket of this.#upgraded.keys()) socket.destroy();
    return requests;
  }

  #add(socket: Socket): void {
    this.#open.set(socket, { response: undefined, bytesAtEnd: 0, endedAtMs: performance.now() });
    socket.once('close', () => this.#forget(socket));
  }

  #begin({ socket }: IncomingMessage, response: ServerResponse): void {
    const connection = this.#open.get(socket);
    if (connection === undefined || connection.response === response) return;
    connection.response = response;
    response.on('close', this.#onResponseClose);
    if (this.#isClosing) this.#closeAfter(socket, response);
  }

  #end(response: ServerResponse): void {
    const { socket, complete } = response.req;
    const connection = this.#open.get(socket);
    if (connection?.response !== response) return;
    if (complete) {
      connection.response = undefined;
      connection.bytesAtEnd = socket.bytesRead;
      connection.endedAtMs = performance.now();
    } else {
      // The request's content is still arriving, though its response has ended.
      response.req.once('close', () => this.#end(response));
    }
  }

  #closeAfter(socket: Socket, response: ServerResponse): void {
    const { writeHead, req } = response;
    response.writeHead = ((...parameters: Parameters<typeof writeHead>) => {
      // Another pipelined request may follow this one; and to close while request content is still on its way
      // would reset the connection before the client has read the answer.
      const isLast = this.#open.get(socket)?.response === response;
      if (isLast && (req.complete || !hasContent(req))) response.setHeader('Connection', 'close');
      return writeHead.apply(response, parameters);
    }) as typeof writeHead;
  }

  #upgrade(socket: Socket, protocol: string | undefined): void {
    if (!this.#open.delete(socket)) return;
    this.#upgraded.set(socket, undefined);
    if (protocol?.toLowerCase() === 'websocket') this.#webSockets.add(socket);
  }

  /**
   * Sends a close frame to WebSockets, and closes the upgraded connections that are still open
   * {@link QUIET_MS} later.
   *
   * @returns in how many milliseconds the next one may be closed.
   */
  #leaveUpgraded(): number {
    const nowMs = performance.now();
    let nextMs = QUIET_MS;
    for (const [socket, leftAtMs] of this.#upgraded) {
      if (leftAtMs === undefined) {
        this.#upgraded.set(socket, nowMs);
        // Not `end`: the program's later writes would fail.
        if (this.#webSockets.has(socket) && socket.writable) socket.write(GOING_AWAY);
      } else if (nowMs - leftAtMs >= QUIET_MS) {
        socket.destroy();
      } else {
        nextMs = Math.min(nextMs, leftAtMs + QUIET_MS - nowMs);
      }
    }
    return nextMs;
  }

  #forget(socket: Socket): void {
    this.#open.delete(socket);
    this.#upgraded.delete(socket);
    this.#checkEmpty();
  }

  #checkEmpty(): void {
    if (this.#open.size === 0 && this.#upgraded.size === 0) this.#onEmpty?.();
  }
}

/** Whether neither a response nor a part of a request is in flight. */
function isIdle(connection: Connection, socket: Socket): boolean {
  const ahead = answeredAhead.get(socket);
  if (ahead !== undefined && ahead.bytesRead > connection.bytesAtEnd) {
    if (socket.writableLength > 0) return false;
    connection.bytesAtEnd = ahead.bytesRead;
    connection.endedAtMs = ahead.atMs;
  }
  return connection.response === undefined && socket.bytesRead === connection.bytesAtEnd;
}

function hasContent({ headers }: IncomingMessage): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers;
  return length !== '0' || encoding !== undefined;
}
