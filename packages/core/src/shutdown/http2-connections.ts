import type { ServerHttp2Session } from 'node:http2';
import type { Server } from 'node:net';
import { type Connections, QUIET_MS } from './connections.ts';
import { refuseConnections } from './refuse-connections.ts';

/**
 * The HTTP/2 sessions of a server. GOAWAY names the last request that is answered, so that clients retry
 * later ones elsewhere (RFC 9113 section 6.8): no session needs to be idle first.
 */
export class Http2Connections implements Connections {
  readonly #sessions = new Set<ServerHttp2Session>();
  readonly #server: Server;
  #isRefusing = false;
  #onEmpty: (() => void) | undefined;

  /** @param server - A server without connections so far. */
  constructor(server: Server) {
    this.#server = server;
    server.on('session', (session: ServerHttp2Session) => {
      this.#sessions.add(session);
      session.once('close', () => {
        this.#sessions.delete(session);
        this.#checkEmpty();
      });
    });
  }

  /** HTTP/2 has no such header. */
  announceClose(): void {}

  async refuse(): Promise<void> {
    await refuseConnections(this.#server);
    this.#isRefusing = true;
    this.closeIdle();
  }

  /** Node sends GOAWAY, and ends the session when its streams have ended. */
  closeIdle(): number {
    if (this.#isRefusing) {
      for (const session of this.#sessions) if (!session.closed) session.close();
    }
    return QUIET_MS;
  }

  whenEmpty(): Promise<void> {
    return new Promise((resolve) => {
      this.#onEmpty = resolve;
      this.#checkEmpty();
    });
  }

  cut(): undefined {
    for (const session of this.#sessions) session.destroy();
  }

  #checkEmpty(): void {
    if (this.#sessions.size === 0) this.#onEmpty?.();
  }
}
