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
  /** The port; 0 takes any free one. Default: PORT, else 4000. */
  readonly port?: number | undefined;
  /** Address to bind to. Default: all interfaces. */
  readonly host?: string | undefined;
  /**
   * File descriptor of a listening socket, instead of `port` and `host`. For one thread. Default: that of systemd
   * (`LISTEN_FDS`), unless `port` or `host` is set.
   */
  readonly fd?: number | undefined;
  /**
   * Your server of node:http2 or node:https, with `reqHandler` as listener, not listening yet. Default: one of
   * node:http.
   */
  readonly server?: Own | undefined;
  /** Prints the URL. Default: true. */
  readonly announce?: boolean | undefined;
  /**
   * On SIGTERM and SIGINT, completes requests and exits, with 1 if `timeoutMs` expired or `onClose` failed. With
   * `false`, call `close()` yourself. Default: within 10 s.
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
  announce: flag(true),
  shutdown: (name, value) => checkShutdown(value as ShutdownOptions, name),
});

/**
 * Checks what `listen` is called with, but for `port` and `fd`, which depend on the process.
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
