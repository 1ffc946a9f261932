import type { Connections } from '../../shutdown/connections.ts';
import type { ServerThreads } from './server-threads.ts';

/** The connections of a server in this thread and in its server threads. */
export function withThreads(own: Connections, threads: ServerThreads): Connections {
  return {
    announceClose() {
      own.announceClose();
      threads.announceClose();
    },
    refuse() {
      threads.end();
      return own.refuse();
    },
    // Each thread closes its own.
    closeIdle: () => own.closeIdle(),
    async whenEmpty() {
      await Promise.all([own.whenEmpty(), threads.whenDrained()]);
    },
    async cut() {
      const requests = await own.cut();
      const ofThreads = await threads.cut();
      return requests === undefined ? undefined : requests + ofThreads;
    },
  };
}
