import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import { type Connections, QUIET_MS } from './connections.ts';
import { hearOfRequests } from './hear-of-requests.ts';
import { hearOfUpgrades } from './hear-of-upgrades.ts';
import { refuseConnections } from './refuse-connections.ts';

/** A server of HTTP/1.1. */
export type HttpServer = Server | HttpsServer;

/** A WebSocket's close frame with the code 1001, going away (RFC 6455 section 7.4.1). */
const GOING_AWAY = Uint8Array.of(0x88, 0x02, 0x03, 0xe9);

/** What is known of an open connection. */
interface Connection {
  /** What is under way: of several requests that were sent in one go, the last. */
  response: ServerResponse | undefined;
  /** How many bytes had been read when nothing was under way any more: what is more is a request. */
  bytesAtEnd: number;
  /** When nothing was under way any more, by performance.now(). */
  endedAtMs: number;
}

/**
 * The HTTP/1.1 connections of a server, so that they can end without the loss of a request.
 *
 * Node's own `closeIdleConnections`, which `server.close()` calls, takes a connection for idle as
 * soon as its answer has been handed over, and cuts an answer that a slow client is still reading;
 * and it closes connections on which the next request is on its way.
 */
export class NodeConnections implements Connections {
  readonly #open = new Map<Socket, Connection>();
  /** Connections of another protocol by now, and when they were left. */
  readonly #upgraded = new Map<Socket, number | undefined>();
  readonly #webSockets = new WeakSet<Socket>();
  readonly #server: HttpServer;
  readonly #onResponseClose: (this: ServerResponse) => void;
  #isClosing = false;
  #isRefusing = false;
  #onEmpty: (() => void) | undefined;

  /** @param server - One that has no connections yet. */
  constructor(server: HttpServer) {
    this.#server = server;
    const end = (response: ServerResponse): void => this.#end(response);
    this.#onResponseClose = function () {
      end(this);
    };
    const connection = server instanceof TlsServer ? 'secureConnection' : 'connection';
    server.on(connection, (socket: Socket) => this.#add(socket));
    hearOfRequests(server, (request, response) => this.#begin(request, response));
    hearOfUpgrades(server, ({ headers }, socket) => this.#upgrade(socket, headers.upgrade));
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
   * Call it when the event loop has just read what there was to read (`setImmediate`): a request that
   * has reached this machine is then not idle any more.
   */
  closeIdle(): number {
    const nowMs = performance.now();
    let nextMs = QUIET_MS;
    for (const [socket, connection] of this.#open) {
      if (!isIdle(connection, socket.bytesRead)) continue;
      const leftMs = connection.endedAtMs + QUIET_MS - nowMs;
      if (leftMs <= 0) socket.destroy();
      else nextMs = Math.min(nextMs, leftMs);
    }
    return this.#isRefusing ? Math.min(nextMs, this.#leaveUpgraded()) : nextMs;
  }

  cut(): number {
    let requests = 0;
    for (const [socket, connection] of this.#open) {
      if (!isIdle(connection, socket.bytesRead)) requests++;
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
      // Its content is still arriving, for nobody.
      response.req.once('close', () => this.#end(response));
    }
  }

  #closeAfter(socket: Socket, response: ServerResponse): void {
    const { writeHead, req } = response;
    response.writeHead = ((...parameters: Parameters<typeof writeHead>) => {
      // Another request may wait behind this one; and closing on content that is still on its way
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
   * Says farewell where the protocol has a word for it, and closes what is open still after a while.
   *
   * @returns in how many milliseconds the next may be closed.
   */
  #leaveUpgraded(): number {
    const nowMs = performance.now();
    let nextMs = QUIET_MS;
    for (const [socket, leftAtMs] of this.#upgraded) {
      if (leftAtMs === undefined) {
        this.#upgraded.set(socket, nowMs);
        // Not `end`: what the program writes afterwards would be an error of its own.
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

/** Whether nothing is under way: no answer, and no part of a request. */
function isIdle({ response, bytesAtEnd }: Connection, bytesRead: number): boolean {
  return response === undefined && bytesRead === bytesAtEnd;
}

function hasContent({ headers }: IncomingMessage): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = headers;
  return length !== '0' || coding !== undefined;
}
