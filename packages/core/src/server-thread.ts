import { type MessagePort, workerData } from 'node:worker_threads';

/** What a server thread is started with. */
export interface ServerThreadData {
  /** Which of the program's handlers it answers for, from 0 in order of creation. */
  readonly handler: number;
  /** Asks the main thread, and gets what it says. */
  readonly port: MessagePort;
  /** How many purges each thread has asked for: all threads can read it at any time. */
  readonly asked: Int32Array<SharedArrayBuffer>;
  /** Where it listens. */
  readonly listen: { readonly port: number; readonly host: string | undefined };
  /** The secret of the process in documents with a nonce: pages come from the main thread. */
  readonly nonceSecret: string;
  /** Files, pages and state as they are now; later changes come as messages. */
  readonly start: unknown;
}

/** Worker threads of other packages have their own data. */
const NAME = 'ng-ssr:server';

export function toServerThreadData(data: ServerThreadData): Record<string, ServerThreadData> {
  return { [NAME]: data };
}

/** What this server thread was started with; undefined in other threads. */
export const serverThread: ServerThreadData | undefined = read(workerData);

function read(data: unknown): ServerThreadData | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  return (data as Record<string, ServerThreadData | undefined>)[NAME];
}
