import type { ServerThreadData } from '../server-thread.ts';
import type { EndMessage, MainLink } from './main-link.ts';
import { toWireError } from './wire-error.ts';

/** How the connections of a thread end. */
export interface ThreadConnections {
  announceClose(): void;
  /**
   * Takes no more connections, answers the requests in flight, and closes the handler.
   *
   * @param onDrained - Called when the last request is answered.
   */
  end(onDrained: () => void): Promise<void>;
  /** Destroys all connections, and returns how many had a request in flight, if that is known. */
  cut(): number | undefined;
}

/** The server of a server thread, for authors of adapters. */
export interface ThreadServer {
  readonly port: number;
  readonly host: string | undefined;
  /** False for the program's other servers: they do not listen here. */
  readonly isServing: boolean;
  /** To be called once it listens. The thread exits when its connections have ended. */
  listening(connections: ThreadConnections): void;
  /** Reports why it cannot listen. */
  failed(error: unknown): void;
  /** Shuts down the whole server. Never resolves: the thread ends with it. */
  close(): Promise<never>;
}

/** The server of this thread. */
export class OwnServer implements ThreadServer {
  readonly port: number;
  readonly host: string | undefined;
  readonly isServing: boolean;
  readonly #main: MainLink | undefined;

  constructor({ port, host }: ServerThreadData['listen'], main: MainLink | undefined) {
    this.port = port;
    this.host = host;
    this.isServing = main !== undefined;
    this.#main = main;
  }

  listening(connections: ThreadConnections): void {
    this.#main?.listening((message) => this.#take(message, connections));
  }

  failed(error: unknown): void {
    this.#main?.post({ kind: 'failed-to-listen', error: toWireError(error) });
  }

  close(): Promise<never> {
    this.#main?.post({ kind: 'close' });
    return new Promise(() => undefined);
  }

  #take({ kind }: EndMessage, connections: ThreadConnections): void {
    switch (kind) {
      case 'announce-close':
        return connections.announceClose();
      case 'cut':
        return this.#main?.post({ kind: 'cut', requests: connections.cut() });
      case 'end':
        return void this.#end(connections);
    }
  }

  async #end(connections: ThreadConnections): Promise<void> {
    try {
      await connections.end(() => this.#main?.post({ kind: 'drained' }));
      this.#main?.end();
    } catch (error) {
      this.#main?.end(error);
    }
    process.exit(0);
  }
}
