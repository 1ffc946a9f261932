import type { Connections } from './connections.ts';

/** The server threads of a server, for its shutdown. */
export interface EndingThreads {
  /** From now on their answers carry `Connection: close`. */
  announceClose(): void;
  /** They take no more connections, answer the requests in flight, and close their handlers. */
  end(): void;
  /** Resolves when all have answered their last request, or are lost. */
  whenDrained(): Promise<void>;
  /** Destroys their connections, and returns how many had a request in flight. */
  cut(): Promise<number>;
}

/** The connections of a server in this thread and in its server threads. */
export class ConnectionsWithThreads implements Connections {
  readonly #own: Connections;
  readonly #threads: EndingThreads;

  constructor(own: Connections, threads: EndingThreads) {
    this.#own = own;
    this.#threads = threads;
  }

  announceClose(): void {
    this.#own.announceClose();
    this.#threads.announceClose();
  }

  refuse(): Promise<void> {
    this.#threads.end();
    return this.#own.refuse();
  }

  /** Each thread closes its own. */
  closeIdle(): number {
    return this.#own.closeIdle();
  }

  async whenEmpty(): Promise<void> {
    await Promise.all([this.#own.whenEmpty(), this.#threads.whenDrained()]);
  }

  async cut(): Promise<number | undefined> {
    const own = await this.#own.cut();
    const ofThreads = await this.#threads.cut();
    return own === undefined ? undefined : own + ofThreads;
  }
}
