import type { Server } from 'node:net';
import { type Drainable, GracefulShutdown } from './graceful-shutdown.ts';
import { toConnections } from './shut-down-on-signals.ts';

/** How a server in a server thread ends, each step when the main thread says so. */
export interface EndOfThread {
  announceClose(): void;
  /**
   * Takes no more connections, answers the requests in flight, and closes the target.
   *
   * @param onDrained - Called when the last request is answered.
   */
  end(onDrained: () => void): Promise<void>;
  cut(): number | undefined;
}

/** The main thread keeps the time. */
const NO_LIMIT_MS = 2 ** 31 - 1;

/** Prepares the end of a server that has no connections yet. */
export function endOfThread(server: Server, target: Drainable): EndOfThread {
  const connections = toConnections(server);
  const times = { graceMs: 0, timeoutMs: NO_LIMIT_MS };
  return {
    announceClose: () => connections.announceClose(),
    async end(onDrained) {
      const close = (): Promise<void> => {
        onDrained();
        return target.close();
      };
      const drain = (): void => target.drain();
      await new GracefulShutdown(connections, { drain, close }, times).run();
    },
    // Those of a thread are counted at once.
    cut: () => connections.cut() as number | undefined,
  };
}
