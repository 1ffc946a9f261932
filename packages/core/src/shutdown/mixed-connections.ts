import type { Server } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Connections } from './connections.ts';
import { Http2Connections } from './http2-connections.ts';
import { NodeConnections } from './node-connections.ts';

/** The connections of a server that speaks HTTP/2 and, with `allowHTTP1`, HTTP/1.1 to clients that ask for it. */
export class MixedConnections implements Connections {
  readonly #http1: NodeConnections;
  readonly #http2: Http2Connections;

  /** @param server - A server without connections so far. */
  constructor(server: Server) {
    this.#http1 = new NodeConnections(
      server,
      (socket) => (socket as TLSSocket).alpnProtocol !== 'h2',
    );
    this.#http2 = new Http2Connections(server);
  }

  announceClose(): void {
    this.#http1.announceClose();
  }

  async refuse(): Promise<void> {
    await this.#http1.refuse();
    await this.#http2.refuse();
  }

  closeIdle(): number {
    return Math.min(this.#http1.closeIdle(), this.#http2.closeIdle());
  }

  async whenEmpty(): Promise<void> {
    await Promise.all([this.#http1.whenEmpty(), this.#http2.whenEmpty()]);
  }

  cut(): undefined {
    this.#http1.cut();
    this.#http2.cut();
  }
}
