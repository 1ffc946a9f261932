import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { answeredAhead, type AnsweredAhead } from '@ng-ssr/core/shutdown';
import type { WireBytes } from './answer-bytes.ts';
import { readSimpleRequest, type SimpleRequest } from './simple-request.ts';

/** Takes a socket's bytes. */
export type DataListener = (this: Socket, bytes: Buffer) => void;

/** What a connection asks. */
export interface HitSource {
  /** The request that node:http has read last. */
  readonly received: Received | undefined;
  /** The server's own limit for a client that does not read its answer, in milliseconds; 0 for none. */
  readonly timeoutMs: number;
  /** @returns undefined if node:http has to take the request. */
  answer(request: SimpleRequest): WireBytes | undefined;
  /** The connection has been given back to node:http; the next hit on it takes it again. */
  leave(socket: Socket): void;
}

/** A request that node:http has read, and its response. */
export interface Received {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * A connection whose bytes come here before they go to node:http's parser. Simple requests are answered here if
 * they are hits. All others go to the parser. The first bytes that are no simple request give the connection back
 * to it, since only the parser can tell where they end.
 */
export class HitConnection {
  readonly #source: HitSource;
  readonly #socket: Socket;
  readonly #isEncrypted: boolean;
  readonly #parse: DataListener;
  readonly #ahead: AnsweredAhead = { bytesRead: 0, atMs: 0 };
  readonly #onData: DataListener = (bytes) => this.#read(bytes);
  /** Whether the parser is known to be between two messages. */
  #isParserKnown = false;
  /** How many requests it has read whose responses are not sent. The connection keeps none of them when it is idle. */
  #pending = 0;
  /** Bytes that have come out of the socket so far. */
  #bytesRead = 0;

  /**
   * Does nothing where others listen to the socket's bytes, too, or alone: an upgrade that came with the last request
   * has put them in place of the parser.
   *
   * @param parse - The parser's listener, as {@link listenerOf} found it during a request.
   */
  static open(source: HitSource, socket: Socket, parse: DataListener): void {
    // node:http has paused it for a client that does not read, in a way that only works while it reads itself.
    if (socket.isPaused()) return source.leave(socket);
    if (listenerOf(socket) !== parse) return;
    new HitConnection(source, socket, parse);
  }

  private constructor(source: HitSource, socket: Socket, parse: DataListener) {
    this.#source = source;
    this.#socket = socket;
    this.#isEncrypted = (socket as Partial<TLSSocket>).encrypted === true;
    this.#parse = parse;
    answeredAhead.set(socket, this.#ahead);
    // With its first listener to data, a socket is read through its stream and no longer by the parser itself.
    socket.on('data', this.#onData).off('data', parse);
  }

  #read(bytes: Buffer): void {
    this.#bytesRead += bytes.byteLength;
    const request = readSimpleRequest(bytes, this.#isEncrypted);
    if (request === undefined) return this.#giveBack(bytes);
    // A pipelined request waits for the answer to the one before it, which may be the last.
    const isNext = this.#isParserKnown && this.#pending === 0 && this.#socket.writable;
    if (!isNext || !this.#answer(request)) this.#pass(request, bytes);
  }

  #answer(request: SimpleRequest): boolean {
    request.socket = this.#socket;
    const bytes = this.#source.answer(request);
    if (bytes === undefined) return false;
    const socket = this.#socket;
    const [head, content] = bytes;
    if (content === undefined) {
      socket.write(head);
    } else {
      socket.cork();
      socket.write(head);
      socket.write(content);
      socket.uncork();
    }
    if (socket.writableLength > 0) this.#waitForClient();
    this.#ahead.bytesRead = this.#bytesRead;
    this.#ahead.atMs = performance.now();
    return true;
  }

  /** A client that has not read its answer gets no other, and all the time that node:http would give it. */
  #waitForClient(): void {
    const socket = this.#socket;
    const { timeout = 0 } = socket;
    socket.pause().setTimeout(this.#source.timeoutMs);
    socket.write('', () => socket.setTimeout(timeout).resume());
  }

  /**
   * Gives a simple request to the parser. The parser was between two messages, and is so again, if it has now
   * read a request with the same target and as many headers: these bytes as a part of an earlier message, of its
   * content or of a header, would have made none, or another one.
   */
  #pass(simple: SimpleRequest, bytes: Buffer): void {
    const source = this.#source;
    const socket = this.#socket;
    const before = source.received;
    this.#parse.call(socket, bytes);
    const after = source.received;
    if (after === before || after?.request.socket !== socket || !isSame(simple, after.request)) {
      return this.#giveBack();
    }
    if (!this.#isParserKnown) this.#bytesRead = socket.bytesRead - socket.readableLength;
    this.#isParserKnown = true;
    this.#pending++;
    after.response.once('close', () => void this.#pending--);
  }

  /** @param bytes - Not yet read by the parser. */
  #giveBack(bytes?: Buffer): void {
    const socket = this.#socket;
    answeredAhead.delete(socket);
    this.#source.leave(socket);
    // Before the parser reads an upgrade: it then removes its listener.
    socket.off('data', this.#onData).on('data', this.#parse);
    if (bytes !== undefined) this.#parse.call(socket, bytes);
  }
}

/** The only listener to a socket's bytes; undefined if there are several, or none. */
export function listenerOf(socket: Socket): DataListener | undefined {
  const listeners = socket.listeners('data') as DataListener[];
  return listeners.length === 1 && socket.listenerCount('readable') === 0
    ? listeners[0]
    : undefined;
}

function isSame(simple: SimpleRequest, { method, url, rawHeaders }: IncomingMessage): boolean {
  const isOfTarget = method === simple.method && url === simple.target;
  return isOfTarget && rawHeaders.length === 2 * simple.headerCount;
}
