import { check } from '@ng-ssr/core/adapter';
import { type Drainable, drainOnSignals, type ShutdownOptions } from '@ng-ssr/core/shutdown';
import { rememberServer } from '../local-port.ts';
import { connectionsOf, type FetchServer, isSrvx, runtimeServer } from './fetch-server.ts';
import { followFetchStart } from './follow-fetch-start.ts';

/**
 * Lets SIGTERM and SIGINT end a server without losing a request, and then the process, as `listen`
 * does in the adapters that have it. The `ready` probe answers 503 at once; after `graceMs` new
 * connections are refused, and requests in flight are answered. The process ends with 0 when all were,
 * with 1 when `timeoutMs` was not enough or `onClose` failed, and at once, with 128 plus the signal's
 * number, on a second signal.
 *
 * The handler learns from it on which port the server listens: a Host with another port is refused, unless it is in
 * `allowedHosts`.
 *
 * Call it before the server has connections: in the turn of the event loop that starts the server.
 *
 * @remarks
 * Bun and Deno show no connections, and close idle ones as soon as they stop. So they take new ones for
 * at least another half a second, while the answers carry `Connection: close`; if a client has been idle
 * for longer and sends a request while its connection is closed, that request is lost. Answers of your
 * own routes carry the header after `toHono`, `toH3` and `toElysia`; elsewhere set it while
 * `ssr.isDraining`. Deno also cuts requests whose head or content has arrived in part, and cannot cut
 * the others at `timeoutMs`: they end with the process. Bun's node:http, which @hono/node-server uses
 * there, cuts answers that are read slowly.
 *
 * @param server - The result of `serve` of @hono/node-server, h3 or srvx, of `Bun.serve` (`app.server`
 * of Elysia) or `Deno.serve`, or a server of node:http. h3 and srvx need `gracefulShutdown: false`:
 * they would close their server on the same signals.
 * @param ssr - Its `drain` is called when the shutdown starts, its `close` when it ends.
 * @param shutdown - `false` leaves the signals to you: call the returned function.
 * @returns ends the server as a signal would, without ending the process, and removes the signal listeners.
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
    const allowed = 'false, in the options of serve, because shutDownOnSignals ends the server';
    check('gracefulShutdown', gracefulShutdown, gracefulShutdown === false, allowed);
  }
  rememberServer(ssr, Object(runtimeServer(server)) as object);
  const end = drainOnSignals(connectionsOf(server), ssr, shutdown);
  // Last: a wrong option fails the start, although servers of Bun and Deno listen already.
  followFetchStart(server);
  return end;
}
