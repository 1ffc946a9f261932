import type { Server } from 'node:http';
import type { Server as NetServer } from 'node:net';
import { check, flag, group, isOptionObject, option, optional } from '@ng-ssr/core/adapter';
import { checkShutdown, type ShutdownOptions } from '@ng-ssr/core/shutdown';

/**
 * Options of `listen()`.
 *
 * @typeParam Own - The type of your own server, if you pass one.
 */
export interface ListenOptions<Own extends NetServer = Server> {
  /** The port; 0 takes any free port. Default: PORT, else 4000. */
  readonly port?: number | undefined;
  /** The address to bind to. Default: all interfaces. */
  readonly host?: string | undefined;
  /**
   * File descriptor of a listening socket, instead of `port` and `host`. It needs `threads: 1`. Default: the socket from
   * systemd (`LISTEN_FDS`), if neither `port` nor `host` is set.
   */
  readonly fd?: number | undefined;
  /**
   * Your own server of node:http2 or node:https, with `reqHandler` as its listener. It must not listen yet. Default: a
   * server of node:http.
   */
  readonly server?: Own | undefined;
  /**
   * Threads that serve requests on the same port; they share files, cached pages and renders. `'auto'` starts one per core
   * that `render.threads` does not need. Needs Node 22.12 on Linux or a BSD. Default: 1.
   */
  readonly threads?: number | 'auto' | undefined;
  /** Prints the URL. Default: true. */
  readonly announce?: boolean | undefined;
  /**
   * On SIGTERM and SIGINT, the server completes requests and the process exits: with 0, or with 1 if `timeoutMs` expired
   * or `onClose` failed. `false` leaves signals to you: call `close()`. Default: on signals, within 10 s.
   */
  readonly shutdown?: ShutdownOptions | false | undefined;
}

/** What depends on the process is checked where it is used. */
const given = (_name: string, value: unknown): unknown => value;

const listen = group<Record<keyof ListenOptions, unknown>>({
  port: given,
  host: optional(option((value) => typeof value === 'string', 'an address or a host name')),
  fd: given,
  server: optional(
    option(
      isNewServer,
      'a server of node:http2 or node:https that does not listen yet, as in createSecureServer({ key, cert }, server.reqHandler)',
    ),
  ),
  threads: given,
  announce: flag(true),
  shutdown: (name, value) => checkShutdown(value as ShutdownOptions, name),
});

/**
 * Checks what `listen` is called with, but for `port`, `fd` and `threads`, which depend on the process.
 *
 * @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN`
 */
export function checkListen<Own extends NetServer>(options: ListenOptions<Own> | undefined): void {
  if (options === undefined) return;
  // As with node:http and frameworks.
  const isPort = typeof options === 'number' || typeof options === 'string';
  const example = isPort ? `, as in listen({ port: ${Number(options) || 4000} })` : '';
  check('listen()', options, isOptionObject(options), `an object of options${example}`);
  listen('listen', options);
}

function isNewServer(server: unknown): boolean {
  const { listen: start, listening } = Object(server) as Partial<NetServer>;
  return typeof start === 'function' && listening !== true;
}
