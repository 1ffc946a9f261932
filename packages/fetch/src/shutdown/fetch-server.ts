import type { Server as HttpServer } from 'node:http';
import { Server } from 'node:net';
import { check } from '@ng-ssr/core/adapter';
import { type Connections, toConnections } from '@ng-ssr/core/shutdown';
import { RuntimeConnections } from './runtime-connections.ts';

/** The members of a `Bun.serve` server that are used. */
export interface BunServer {
  readonly pendingRequests: number;
  readonly pendingWebSockets: number;
  stop(closeActiveConnections?: boolean): unknown;
}

/** The members of a `Deno.serve` server that are used. */
export interface DenoServer {
  readonly finished: Promise<void>;
  shutdown(): Promise<void>;
}

/** The members of the result of h3's and srvx's `serve` that are used; it contains the runtime's server. */
export interface SrvxServer {
  readonly options: { readonly gracefulShutdown?: unknown };
  readonly node?: { readonly server?: Server };
  readonly bun?: { readonly server?: object };
  readonly deno?: { readonly server?: object };
}

/** A server that calls a fetch handler. */
export type FetchServer = Server | BunServer | DenoServer | SrvxServer;

const isBun = 'Bun' in globalThis;

/** After this many looks in a row without a request in flight, a Bun server is cut off. */
const MAX_IDLE_ROUNDS = 4;

/**
 * The connections of a server; call it before the server has any.
 *
 * @throws SsrError `NG_SSR_OPTION_INVALID`
 */
export function connectionsOf(server: FetchServer): Connections | undefined {
  const inner = runtimeServer(server);
  if (isBun && isBunsNodeServer(inner)) return ofBunsNodeServer(inner);
  if (inner instanceof Server) return toConnections(inner);
  if (isBun && isBunServer(inner)) return ofBunServer(inner);
  if (isDenoServer(inner)) return ofDenoServer(inner);
  const allowed = 'a server of node:http, Bun.serve, Deno.serve, or srvx (serve of h3)';
  check('server', server, false, allowed);
  return undefined;
}

/** Whether the server is the result of `serve` of h3 or srvx. */
export function isSrvx(server: FetchServer): server is SrvxServer {
  return isObject(server) && 'runtime' in server && 'options' in server;
}

/** The runtime's server; undefined where a server of srvx has none yet. */
export function runtimeServer(server: FetchServer): unknown {
  return isSrvx(server) ? innerOf(server) : server;
}

function innerOf({ node, bun, deno }: SrvxServer): unknown {
  return node?.server ?? bun?.server ?? deno?.server;
}

function ofBunServer(server: BunServer): Connections {
  let idleRounds = 0;
  return new RuntimeConnections({
    stop: async () => server.stop(),
    closeIdle() {
      idleRounds = server.pendingRequests === 0 ? idleRounds + 1 : 0;
      if (idleRounds > 0 && server.pendingWebSockets > 0) return true;
      // Bun waits for clients with a part of a head, or with a connection that it has overlooked.
      if (idleRounds < MAX_IDLE_ROUNDS) return false;
      void server.stop(true);
      return true;
    },
    cut() {
      const { pendingRequests } = server;
      void server.stop(true);
      return pendingRequests;
    },
  });
}

function isBunsNodeServer(server: unknown): server is HttpServer {
  return server instanceof process.getBuiltinModule('node:http').Server;
}

function ofBunsNodeServer(server: HttpServer): Connections {
  return new RuntimeConnections({
    stop: () => new Promise((resolve) => server.close(resolve)),
    closeIdle() {
      server.closeIdleConnections();
      return false;
    },
    cut: () => void server.closeAllConnections(),
  });
}

function ofDenoServer(server: DenoServer): Connections {
  return new RuntimeConnections({
    stop: () => server.shutdown(),
    closeIdle: () => false,
    cut: () => undefined,
  });
}

function isBunServer(server: unknown): server is BunServer {
  return isObject(server) && 'stop' in server && 'pendingRequests' in server;
}

function isDenoServer(server: unknown): server is DenoServer {
  return isObject(server) && 'shutdown' in server && 'finished' in server;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
