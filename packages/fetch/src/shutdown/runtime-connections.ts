import { setTimeout as delay } from 'node:timers/promises';
import { type Connections, QUIET_MS } from '@ng-ssr/core/shutdown';

/** A server whose runtime closes the connections itself. */
export interface RuntimeServer {
  /**
   * Takes no new connections, and closes idle ones at once. Resolves when the requests in flight are
   * answered.
   */
  stop(): Promise<unknown>;
  /**
   * Closes connections that are idle by now. Called every {@link QUIET_MS} milliseconds after `stop`.
   *
   * @returns whether none is left, apart from upgraded ones.
   */
  closeIdle(): boolean;
  /** Cuts all connections that it can; returns the number of requests in flight, where it is known. */
  cut(): number | undefined;
}

/**
 * The connections of a server that does not expose them. The server closes idle ones as soon as it
 * stops, so it first runs on until active clients have got `Connection: close`.
 */
export class RuntimeConnections implements Connections {
  readonly #server: RuntimeServer;
  readonly #empty: Promise<void>;
  #onEmpty!: () => void;
  #announcedAtMs = 0;
  #stoppedAtMs: number | undefined;

  constructor(server: RuntimeServer) {
    this.#server = server;
    this.#empty = new Promise((resolve) => (this.#onEmpty = resolve));
  }

  /** Only takes the time: the handler itself sets `Connection: close` on its answers. */
  announceClose(): void {
    this.#announcedAtMs = performance.now();
  }

  async refuse(): Promise<void> {
    await delay(Math.max(0, this.#announcedAtMs + QUIET_MS - performance.now()));
    this.#stop();
  }

  closeIdle(): number {
    const isQuiet =
      this.#stoppedAtMs !== undefined && performance.now() - this.#stoppedAtMs >= QUIET_MS;
    if (isQuiet && this.#server.closeIdle()) this.#onEmpty();
    return QUIET_MS;
  }

  whenEmpty(): Promise<void> {
    return this.#empty;
  }

  cut(): number | undefined {
    this.#stop();
    return this.#server.cut();
  }

  #stop(): void {
    if (this.#stoppedAtMs !== undefined) return;
    this.#stoppedAtMs = performance.now();
    void this.#server.stop().then(this.#onEmpty);
  }
}
