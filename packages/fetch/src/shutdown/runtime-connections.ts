import { setTimeout as delay } from 'node:timers/promises';
import { type Connections, QUIET_MS } from '@ng-ssr/core/shutdown';

/** A server whose runtime ends its connections. */
export interface RuntimeServer {
  /**
   * Takes no new connections, and closes those that are idle at once. Resolves when what is under
   * way is answered.
   */
  stop(): Promise<unknown>;
  /** Of those it waits for, closes what is idle by now; says whether only upgraded ones are left. */
  closeIdle(): boolean;
  /** Cuts all it can; says how many requests were under way, where that is known. */
  cut(): number | undefined;
}

/**
 * The connections of a server that shows none of them. Since it closes idle ones as soon as it stops,
 * it goes on until every client that is using its connection has heard `Connection: close`.
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

  /** The handler says so itself, in its answers. */
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
