import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { type SsrHandler, threadsUnavailableBy } from '@ng-ssr/core/adapter';
import {
  type Drainable,
  endOfThread,
  shutDownOnSignals,
  type ShutdownOptions,
} from '@ng-ssr/core/shutdown';

/** Where a server of several threads listens. */
export interface SharedAddress {
  readonly port: number;
  readonly host: string | undefined;
  readonly reusePort: true;
}

/** What {@link startInThreads} needs of a server. */
export interface ThreadedStart {
  readonly server: Server;
  readonly handler: SsrHandler;
  /** What is drained and closed: the handler, or what closes it. */
  readonly target: Drainable;
  readonly port: number;
  readonly host: string | undefined;
  readonly shutdown: ShutdownOptions | false | undefined;
  /** How many threads there are, this one included. */
  readonly count: number;
  /** Lets the server listen; rejects with what node:net throws. */
  readonly bind: (address: SharedAddress) => Promise<unknown>;
}

/**
 * Lets a server listen in several threads of this process: starts the others on the main thread, and is what
 * `listen` does in each of them.
 *
 * @returns resolves with the function that shuts the server down, when all threads listen.
 * @throws SsrError `NG_SSR_THREADS_UNAVAILABLE`, `NG_SSR_THREAD_NOT_STARTED`; and what node:net throws.
 */
export async function startInThreads(start: ThreadedStart): Promise<() => Promise<void>> {
  const { server, handler, target, port, host, shutdown, count, bind } = start;
  if (handler.threads.own !== undefined) return startOwn(start);
  await assertFree(port, host);
  let end!: () => Promise<void>;
  let started!: Promise<void>;
  const onListening = (): void => {
    const { port } = server.address() as AddressInfo;
    const close = (): void => void end().catch(() => undefined);
    try {
      const threads = handler.threads.start({ count: count - 1, port, host, close });
      started = threads.start();
      end = shutDownOnSignals(server, target, shutdown, threads);
    } catch (error) {
      started = Promise.reject(error);
      end = async () => void server.close();
    }
    started.catch(() => undefined);
  };
  // Registered now, to count connections from the first one.
  server.once('listening', onListening);
  try {
    await bind({ port, host, reusePort: true });
  } catch (error) {
    server.off('listening', onListening);
    throw threadsUnavailableBy(error);
  }
  try {
    await started;
  } catch (error) {
    await end().catch(() => undefined);
    throw error;
  }
  return end;
}

/** What `listen` does in a server thread. */
async function startOwn({ server, handler, target, bind }: ThreadedStart) {
  const own = handler.threads.own!;
  if (own.isServing) {
    const end = endOfThread(server, target);
    const { port, host } = own;
    try {
      await bind({ port, host, reusePort: true });
    } catch (error) {
      own.failed(error);
      throw error;
    }
    own.listening(end);
  }
  return () => own.close();
}

/** Servers that share ports do not notice each other: another program that has the port would be one of them. */
async function assertFree(port: number, host: string | undefined): Promise<void> {
  if (port === 0) return;
  const probe = createServer();
  probe.listen({ port, host });
  await once(probe, 'listening');
  probe.close();
  await once(probe, 'close');
}
