import { check } from '@ng-ssr/core';
import { type Drainable, drainOnSignals, type ShutdownOptions } from '@ng-ssr/core/shutdown';
import { connectionsOf, type FetchServer, isSrvx } from './fetch-server.ts';

/**
 * Has SIGTERM and SIGINT end a server without the loss of a request, and then the process: what
 * `listen` does in the adapters that have one. The `ready` probe says 503 at once; after `graceMs` new
 * connections are refused, and requests under way are answered. The process ends with 0 when all were,
 * with 1 when `timeoutMs` was not enough, and at once, with 128 plus the signal's number, when a second
 * signal comes.
 *
 * Call it before the server has connections: in the same turn of the event loop as what starts it.
 *
 * @remarks
 * Bun and Deno show no connections, and close idle ones as soon as they stop. So they take new ones for
 * another half a second at least, while the answers carry `Connection: close`; a request that crosses
 * with the close is lost where its client had been quiet for longer. Answers of your own routes carry
 * the field behind `toHono`, `toH3` and `toElysia`; elsewhere set it while `ssr.isDraining`. Deno
 * besides cuts requests whose head or content has come in part, and has no way to cut the others when
 * time is up: they end with the process. Bun's node:http, which is under @hono/node-server there,
 * cuts answers that are read slowly.
 *
 * @param server - What `serve` of @hono/node-server, h3 or srvx returns, `Bun.serve` (`app.server` of
 * Elysia), `Deno.serve`, or a server of node:http. h3 and srvx need `gracefulShutdown: false`: they
 * would close their server on the same signals.
 * @param ssr - Is told of the start and the end of it.
 * @param shutdown - `false` leaves the signals to you: call what is returned.
 * @returns ends the server as a signal would, without ending the process, and leaves the signals alone.
 * @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN`
 * @example
 * ```ts
 * shutDownOnSignals(serve({ fetch: app.fetch, port: 4000 }), ssr, { graceMs: 5000 });
 * ```
 */
export function shutDownOnSignals(
  server: FetchServer,
  ssr: Drainable,
  shutdown?: ShutdownOptions | false,
): () => Promise<void> {
  if (isSrvx(server) && shutdown !== false) {
    const { gracefulShutdown } = server.options;
    const allowed = 'false, in the options of serve, since shutDownOnSignals ends the server';
    check('gracefulShutdown', gracefulShutdown, gracefulShutdown === false, allowed);
  }
  return drainOnSignals(connectionsOf(server), ssr, shutdown);
}
