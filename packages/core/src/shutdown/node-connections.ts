import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import type { Connections } from './connections.ts';
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
  /** How many bytes had been read when it was last found idle; -1 when it was not. */
  bytesWhenIdle: number;
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
  /** Connections of another protocol by now. */
  readonly #upgraded = new Map<Socket, 'open' | 'leaving'>();
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
  closeIdle(): void {
    for (const [socket, connection] of this.#open) {
      const { bytesRead } = socket;
      if (!isIdle(connection, bytesRead)) connection.bytesWhenIdle = -1;
      else if (connection.bytesWhenIdle === bytesRead) socket.destroy();
      else connection.bytesWhenIdle = bytesRead;
    }
    if (this.#isRefusing) this.#leaveUpgraded();
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
    this.#open.set(socket, { response: undefined, bytesAtEnd: 0, bytesWhenIdle: -1 });
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
    this.#upgraded.set(socket, 'open');
    if (protocol?.toLowerCase() === 'websocket') this.#webSockets.add(socket);
  }

  /** Says farewell where the protocol has a word for it; closes at the next call what is open still. */
  #leaveUpgraded(): void {
    for (const [socket, state] of this.#upgraded) {
      if (state === 'leaving') {
        socket.destroy();
        continue;
      }
      this.#upgraded.set(socket, 'leaving');
      // Not `end`: what the program writes afterwards would be an error of its own.
      if (this.#webSockets.has(socket) && socket.writable) socket.write(GOING_AWAY);
    }
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
