import { setTimeout as delay } from 'node:timers/promises';

/** What Bun.serve returns, as far as it is used. */
interface BunServer {
  readonly port: number;
  readonly pendingRequests: number;
  stop(): Promise<void>;
}

/** The global of Bun, as far as it is used. */
export const { Bun } = globalThis as unknown as {
  readonly Bun: { serve(options: object): BunServer };
};

/** Not to the end of `stop()`, which waits for idle connections too. */
export async function stop(server: BunServer): Promise<void> {
  void server.stop();
  while (server.pendingRequests > 0) await delay(20);
}
