import dns from 'node:dns';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/**
 * The addresses to listen on. Fastify would create a separate server for each further address of
 * `localhost`, without the listeners of the first.
 *
 * @returns at least one.
 */
export async function addressesOf(host: string): Promise<readonly [string, ...string[]]> {
  if (host !== 'localhost') return [host];
  const found = await dns.promises.lookup(host, { all: true });
  const [first = host, ...others] = found.map(({ address }) => address);
  return [first, ...others];
}

/**
 * Lets a listening server take connections at further addresses: they reach its listeners, and its
 * `close` refuses new connections there as well. Skips an address that cannot be bound, as Fastify does.
 *
 * @param reusePort - Whether other threads listen there, too.
 * @see https://nodejs.org/api/http.html#event-connection
 */
export async function listenAlso(
  server: Server,
  port: number,
  addresses: readonly string[],
  reusePort = false,
): Promise<void> {
  if (addresses.length === 0) return;
  const { allowHalfOpen = false } = server as { allowHalfOpen?: boolean };
  const take = (socket: unknown): void => void server.emit('connection', socket);
  const others = addresses.map((host) =>
    createServer({ allowHalfOpen, noDelay: true }, take).listen({ host, port, reusePort }),
  );
  const close = server.close.bind(server);
  server.close = (callback) => {
    for (const other of others) other.close();
    return close(callback);
  };
  await Promise.allSettled(others.map((other) => once(other, 'listening')));
}
