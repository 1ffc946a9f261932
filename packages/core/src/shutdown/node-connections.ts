import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { Server as TlsServer } from 'node:tls';
import type { Connections } from './connections.ts';
import { hearOfUpgrades } from './hear-of-upgrades.ts';

/** A server of HTTP/1.1. */
export type HttpServer = Server | HttpsServer;

/** Connections that wait to be accepted at most, by Node's default. */
const BACKLOG = 511;

/** In which next to nobody connects, even where a thousand a second do. */
const SHORT_TURN_MS = 0.1;

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
  readonly #server: HttpServer;
  readonly #onResponseClose: (this: ServerResponse) => void;
  #isClosing = false;
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
    server.prependListener('request', (request, response) => this.#begin(request, response));
    hearOfUpgrades(server, (socket) => this.#forget(socket));
  }

  whenEmpty(): Promise<void> {
    return new Promise((resolve) => {
      this.#onEmpty = resolve;
      if (this.#open.size === 0) resolve();
    });
  }

  announceClose(): void {
    this.#isClosing = true;
    for (const [socket, { response }] of this.#open) {
      if (response !== undefined && !response.headersSent) this.#closeAfter(socket, response);
    }
  }

  /**
   * Those that wait to be accepted, one a turn, would be reset: it comes behind a turn that has brought
   * none and was too short for more to gather.
   */
  async refuse(): Promise<void> {
    const server = this.#server;
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
    // http.Server's own close would call it.
    server.closeIdleConnections = () => undefined;
    server.close();
    delete (server as Partial<HttpServer>).closeIdleConnections;
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
  }

  cut(): number {
    let requests = 0;
    for (const [socket, connection] of this.#open) {
      if (!isIdle(connection, socket.bytesRead)) requests++;
      socket.destroy();
    }
    return requests;
  }

  #add(socket: Socket): void {
    this.#open.set(socket, { response: undefined, bytesAtEnd: 0, bytesWhenIdle: -1 });
    socket.once('close', () => this.#forget(socket));
  }

  #begin({ socket }: IncomingMessage, response: ServerResponse): void {
    const connection = this.#open.get(socket);
    if (connection === undefined) return;
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

  #forget(socket: Socket): void {
    this.#open.delete(socket);
    if (this.#open.size === 0) this.#onEmpty?.();
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
