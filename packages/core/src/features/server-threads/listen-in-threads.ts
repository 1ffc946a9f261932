import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { shutDown, toConnections } from '../../shutdown/shut-down-on-signals.ts';
import type { ThreadedStart } from '../../threads/server-threads.ts';
import { threadsUnavailableBy } from './availability.ts';
import { withThreads } from './connections-with-threads.ts';
import type { ServerThreads, ThreadsToStart } from './server-threads.ts';

/**
 * Lets a server listen on the main thread, and starts the other threads.
 *
 * @param count - How many threads there are, this one included.
 * @param open - Makes the others.
 * @throws As {@link HandlerThreads.listen}.
 */
export async function listenInThreads(
  start: ThreadedStart,
  count: number,
  open: (options: ThreadsToStart) => ServerThreads,
): Promise<() => Promise<void>> {
  const { server, target, port, host, shutdown, bind } = start;
  await assertFree(port, host);
  let end!: () => Promise<void>;
  let started!: Promise<void>;
  const onListening = (): void => {
    const { port } = server.address() as AddressInfo;
    const close = (): void => void end().catch(() => undefined);
    try {
      const threads = open({ count: count - 1, port, host, close });
      started = threads.start();
      const connections = withThreads(toConnections(server), threads);
      end = shutDown(server, connections, target, shutdown);
    } catch (error) {
      started = Promise.reject(error);
      end = async () => void server.close();
    }
    started.catch(() => undefined);
  };
  // Registered now, to count connections from the first one.
  server.once('listening', onListening);
  try {
    await bind({ port, host });
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

/** Servers that share ports do not notice each other: another program that has the port would be one of them. */
async function assertFree(port: number, host: string | undefined): Promise<void> {
  if (port === 0) return;
  const probe = createServer();
  probe.listen({ port, host });
  await once(probe, 'listening');
  probe.close();
  await once(probe, 'close');
}
