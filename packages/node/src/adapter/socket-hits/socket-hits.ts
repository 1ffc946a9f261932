import { channel } from 'node:diagnostics_channel';
import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { type SsrHandler, SsrError } from '@ng-ssr/core/adapter';
import type { NodeRequest, NodeResponse } from '../node-exchange.ts';
import { http } from '../node-http.ts';
import { AnswerBytes, type WireBytes } from './answer-bytes.ts';
import { differenceToNode } from './difference-to-node.ts';
import { hasForeignCode } from './foreign-code.ts';
import { type HitSource, HitConnection, listenerOf, type Received } from './hit-connection.ts';
import { MOST_BYTES, MOST_HEADERS, type SimpleRequest } from './simple-request.ts';

/** Channels of node:http: a subscriber must see each request, or each response. */
const CHANNELS = ['request.start', 'response.created', 'response.finish'].map((name) =>
  channel(`http.server.${name}`),
);

/** What libraries replace in order to see each request, or each answer. */
const { emit } = EventEmitter.prototype;
const { writeHead, write, end } = http.ServerResponse.prototype;

/** Listeners of a server to its requests: the adapter's, and that of the server's end. */
const OWN_LISTENERS = 2;

/**
 * Answers hits before node:http has parsed their requests, on connections that have had a hit already. It takes
 * requests that cannot be misread (`simple-request.ts`), as long as nothing but the handler would see them:
 * no middleware, no other listener of the server, no library that traces requests.
 */
export class SocketHits implements HitSource {
  received: Received | undefined;
  readonly #handler: SsrHandler;
  readonly #isFirst: () => boolean;
  readonly #connections = new WeakSet<Socket>();
  #server: Server | undefined;
  /** Undefined until it is known that these bytes are node:http's. */
  #bytes: AnswerBytes | undefined;
  #isProbing = false;
  #isObserved = false;
  #second = 0;
  #isOpen = false;

  /** @param isFirst - Whether hits are answered before all middleware. */
  constructor(handler: SsrHandler, isFirst: () => boolean) {
    this.#handler = handler;
    this.#isFirst = isFirst;
  }

  /** Takes hits from the connections of a server, which has all its listeners. */
  open(server: Server): void {
    const { bun, deno } = process.versions;
    if (this.#server !== undefined || bun !== undefined || deno !== undefined) return;
    const { maxHeaderSize = http.maxHeaderSize } = server as { maxHeaderSize?: number };
    if (maxHeaderSize < MOST_BYTES || server.listenerCount('request') > OWN_LISTENERS) return;
    this.#server = server;
    const onChange = (event: string): void => {
      if (event === 'request') this.#isObserved = true;
    };
    server.on('newListener', onChange).on('removeListener', onChange);
  }

  /** Notes a request that node:http has read. */
  note(request: NodeRequest, response: NodeResponse): void {
    if (this.#server !== undefined) this.received = { request, response } as Received;
  }

  /** Takes the connection of the request that was noted last, because it was a hit. */
  take(): void {
    const { received } = this;
    if (received === undefined) return;
    const socket = received.request.socket as Socket & { server?: unknown };
    if (socket.server !== this.#server) return;
    if (this.#connections.has(socket) || !this.#isPassable() || !areOfNode(received)) return;
    if (this.#bytes === undefined) return void this.#probe();
    // During a request node:http's parser has the socket.
    const parse = listenerOf(socket);
    if (parse === undefined) return;
    this.#connections.add(socket);
    const open = (): void => HitConnection.open(this, socket, parse);
    // Until then the parser may read bytes of this request, or of others that follow it.
    received.response.once('close', () => setImmediate(open));
  }

  leave(socket: Socket): void {
    this.#connections.delete(socket);
  }

  get timeoutMs(): number {
    return this.#server?.timeout ?? 0;
  }

  answer(request: SimpleRequest): WireBytes | undefined {
    if (!this.#isPassable() || this.#handler.isDraining) return undefined;
    const bytes = this.#bytes;
    if (bytes?.keepAliveTimeoutMs !== this.#server!.keepAliveTimeout) {
      this.#bytes = undefined;
      return undefined;
    }
    try {
      const answer = this.#handler.find(request);
      const written = answer && bytes.of(answer, request.method === 'HEAD', this.#second);
      if (written !== undefined) this.#handler.sent(request, answer!);
      return written;
    } catch {
      // It throws again on the way through node:http, where errors are answered.
      return undefined;
    }
  }

  #isPassable(): boolean {
    const second = Math.floor(Date.now() / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#isOpen = this.#mayOpen();
    }
    if (!this.#isOpen || this.#isObserved || !this.#isFirst()) return false;
    for (const each of CHANNELS) if (each.hasSubscribers) return false;
    return true;
  }

  /** What hardly changes, and is looked at once a second. */
  #mayOpen(): boolean {
    const server = this.#server!;
    const { maxHeadersCount, maxRequestsPerSocket } = server;
    const response = http.ServerResponse.prototype;
    return (
      server.listening &&
      server.emit === emit &&
      response.writeHead === writeHead &&
      response.write === write &&
      response.end === end &&
      !maxRequestsPerSocket &&
      (maxHeadersCount === null || maxHeadersCount === 0 || maxHeadersCount >= MOST_HEADERS)
    );
  }

  /**
   * Leaves all requests to node:http if others have wrapped its methods, or if this Node.js writes answers in another
   * way, which is reported once.
   */
  async #probe(): Promise<void> {
    if (this.#isProbing) return;
    this.#isProbing = true;
    if (await hasForeignCode()) return;
    const bytes = new AnswerBytes(this.#server!.keepAliveTimeout);
    const difference = await differenceToNode(bytes).catch(String);
    if (difference === undefined) {
      this.#bytes = bytes;
      this.#isProbing = false;
      return;
    }
    const message = `Node.js ${process.version} writes responses differently than expected: ${difference}. Hits are sent through node:http`;
    this.#handler.report(new SsrError('NG_SSR_NODE_CHANGED', message));
  }
}

/** Whether node:http has made both with its own classes: those of the program would miss a request. */
function areOfNode({ request, response }: Received): boolean {
  return (
    Object.getPrototypeOf(request) === http.IncomingMessage.prototype &&
    Object.getPrototypeOf(response) === http.ServerResponse.prototype
  );
}
