import type { SrvxRequest } from './received-target.ts';

/** What Bun and @hono/node-server pass with a Request. */
interface Connection {
  readonly port?: unknown;
  readonly incoming?: { readonly socket?: { readonly localPort?: number } };
}

/** The members of servers that show their port. */
interface ListeningServer {
  readonly port?: unknown;
  readonly addr?: { readonly port?: unknown };
  address?(): unknown;
}

/** On a Request: a WeakMap takes 200 nanoseconds of each hit. */
const CONNECTION: unique symbol = Symbol('ng-ssr.connection');

type Remembering = Request & { [CONNECTION]?: object };

const servers = new WeakMap<object, RememberedServer[]>();

/** A server that calls a handler. It shows its port while it listens, and answers requests after that. */
class RememberedServer {
  readonly #server: ListeningServer;
  #port: number | undefined;

  constructor(server: ListeningServer) {
    this.#server = server;
  }

  get port(): number | undefined {
    return (this.#port ??= portOf(this.#server));
  }
}

/**
 * Remembers what came with a request that a framework passes on alone. The first counts: a call to the server's own
 * routes has a port before a framework sees it.
 *
 * @param connection - As the runtime has passed it, or an object with a port.
 */
export function rememberConnection(request: Remembering, connection: unknown): void {
  if (typeof connection === 'object' && connection !== null) request[CONNECTION] ??= connection;
}

/** Remembers a server that calls a handler. */
export function rememberServer(handler: object, server: object): void {
  const remembered = new RememberedServer(server as ListeningServer);
  servers.set(handler, [...(servers.get(handler) ?? []), remembered]);
}

/**
 * The port on which a request has come, from what the runtime passes with it, or from the servers of its handler.
 *
 * @param connection - What came with the request, where nothing was remembered.
 * @returns undefined where nothing shows the port.
 */
export function localPortOf(
  exchange: { readonly request: Request; header(name: string): string | undefined },
  connection: unknown,
  handler: object | undefined,
): number | undefined {
  const { request } = exchange;
  const { node } = (request as SrvxRequest).runtime ?? {};
  const { port, incoming } = Object(
    (request as Remembering)[CONNECTION] ?? connection,
  ) as Connection;
  const { socket } = node?.req ?? incoming ?? {};
  const own = typeof port === 'number' ? port : socket?.localPort;
  if (own !== undefined) return own;
  const ports = (handler && servers.get(handler))?.map(({ port: shown }) => shown) ?? [];
  // Of several servers the one with the port of Host counts.
  const host = exchange.header('host');
  return ports.find((each) => host?.endsWith(`:${each}`)) ?? ports[0];
}

function portOf(server: ListeningServer): number | undefined {
  const { port = server.addr?.port ?? (Object(server.address?.()) as { port?: unknown }).port } =
    server;
  return typeof port === 'number' ? port : undefined;
}
