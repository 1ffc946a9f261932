import type { Server } from 'node:http';
import type { Server as NetServer } from 'node:net';
import { check, flag, group, isOptionObject, option, optional } from '@ng-ssr/core/adapter';
import { checkShutdown, type ShutdownOptions } from '@ng-ssr/core/shutdown';

/**
 * Where to listen.
 *
 * @typeParam Own - The type of your own server, if you pass one.
 */
export interface ListenOptions<Own extends NetServer = Server> {
  /** Default: PORT, else 4000. 0 takes any free port. */
  readonly port?: number | undefined;
  /** The address to bind to. Default: every interface. */
  readonly host?: string | undefined;
  /**
   * The descriptor of a socket that already listens, in place of `port` and `host`. Default: without these, the one
   * that systemd passes on (`LISTEN_FDS`, `LISTEN_PID`). Only one thread can serve it.
   */
  readonly fd?: number | undefined;
  /**
   * Your own server of node:http2 or node:https, with `reqHandler` as its listener, which does not listen yet.
   * Default: one of node:http.
   */
  readonly server?: Own | undefined;
  /**
   * How many threads of this process serve, each with its own event loop on the same port. They run the program as
   * processes of node:cluster do, and share built files, stored pages, renders and purges: the main thread has them.
   * `'auto'`: one for each core that `render.workers` leaves. At most four for each core, or 16. Needs Node 22.12 on Linux or
   * a BSD. Default: 1.
   */
  readonly threads?: number | 'auto' | undefined;
  /** Whether to print the URL. Default: true. */
  readonly announce?: boolean | undefined;
  /**
   * How the server ends. SIGTERM and SIGINT end it, and then the process: with 0 when every request was answered, with
   * 1 when `timeoutMs` was not enough or `onClose` failed, and at once, with 128 plus the signal's number, on a second
   * signal. `false` leaves the signals to you: call `close()`. Default: on signals, within 10 s.
   */
  readonly shutdown?: ShutdownOptions | false | undefined;
}

/** What depends on the process is checked where it is used. */
const given = (_name: string, value: unknown): unknown => value;

const listen = group<Record<keyof ListenOptions, unknown>>({
  port: given,
  host: optional(option((value) => typeof value === 'string', 'an address or a host name')),
  fd: given,
  server: optional(option(isNewServer, 'a server that does not listen yet')),
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
