import type { ServerThreadData } from '../../server-thread.ts';
import type { Connections } from '../../shutdown/connections.ts';
import { type Drainable, GracefulShutdown } from '../../shutdown/graceful-shutdown.ts';
import { toConnections } from '../../shutdown/shut-down-on-signals.ts';
import type { HandlerThreads, ThreadedStart } from '../../threads/server-threads.ts';
import { toWireError } from '../../threads/wire-error.ts';
import type { EndMessage, MainLink } from './main-link.ts';

/** The main thread keeps the time. */
const TIMES = { graceMs: 0, timeoutMs: 2 ** 31 - 1 };

/** The server of this thread. It ends when the main thread says so, and the thread with it. */
export class ThreadServer implements HandlerThreads {
  readonly address: ServerThreadData['listen'];
  readonly #main: MainLink;

  constructor(address: ServerThreadData['listen'], main: MainLink) {
    this.address = address;
    this.#main = main;
  }

  async listen({ server, target, bind }: ThreadedStart): Promise<() => Promise<void>> {
    const connections = toConnections(server);
    try {
      await bind(this.address);
    } catch (error) {
      this.#main.post({ kind: 'failed-to-listen', error: toWireError(error) });
      throw error;
    }
    this.#main.listening((message) => this.#take(message, connections, target));
    return () => {
      this.#main.post({ kind: 'close' });
      // The thread ends with the whole server.
      return new Promise(() => undefined);
    };
  }

  /** The main thread does it. */
  refuse(): void {}

  #take({ kind }: EndMessage, connections: Connections, target: Drainable): void {
    switch (kind) {
      case 'announce-close':
        return connections.announceClose();
      case 'cut':
        // Those of a thread are counted at once.
        return this.#main.post({ kind: 'cut', requests: connections.cut() as number | undefined });
      case 'end':
        return void this.#end(connections, target);
    }
  }

  /** Takes no more connections, answers the requests in flight, and closes the target. */
  async #end(connections: Connections, target: Drainable): Promise<void> {
    const close = (): Promise<void> => {
      this.#main.post({ kind: 'drained' });
      return target.close();
    };
    try {
      const drain = (): void => target.drain();
      await new GracefulShutdown(connections, { drain, close }, TIMES).run();
      this.#main.end();
    } catch (error) {
      this.#main.end(error);
    }
    process.exit(0);
  }
}
