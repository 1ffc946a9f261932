import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';

/** An API on a port of its own, which counts what it is asked. */
export interface Api {
  readonly origin: string;
  readonly asked: IncomingMessage[];
  /** Resolves when this many requests have arrived in all. */
  arrived(count: number): Promise<void>;
}

/** Starts an API; it ends with the tests of the file. */
export async function startApi(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Api> {
  const asked: IncomingMessage[] = [];
  const watchers = new Set<() => void>();
  const server = createServer((request, response) => {
    asked.push(request);
    request.resume();
    for (const watcher of watchers) watcher();
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    arrived: (count) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (asked.length < count) return;
          watchers.delete(look);
          resolve();
        };
        watchers.add(look);
        look();
      }),
  };
}
