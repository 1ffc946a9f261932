import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo, Server as NetServer } from 'node:net';
import { isMainModule, type StoredPages } from '@ng-ssr/core';
import { check, type HandlerThreads } from '@ng-ssr/core/adapter';
import { type Drainable, shutDownOnSignals } from '@ng-ssr/core/shutdown';
import type { RequestListener } from './request-listener.ts';
import { orEndWithFailure } from './failed-start.ts';
import { readSocket } from './inherited-socket.ts';
import { checkListen, type ListenOptions } from './listen-options.ts';
import type { NodeRequest, NodeResponse } from './node-exchange.ts';
import { http } from './node-http.ts';
import type { NodeListener } from './node-listener.ts';
import type { SsrHandler } from './ssr-handler.ts';
import { toReqHandler } from './to-req-handler.ts';

/** A server that listens. */
export interface Listening<Own extends NetServer = Server> {
  /** The URL to open in a browser, such as `http://localhost:4000`. */
  readonly url: string;
  /** 0 for a socket of the file system, which only `fd` can be. */
  readonly port: number;
  readonly server: Own;
}

/** The members of every server on Node, beside its framework's app and router. */
export interface SsrServer {
  /**
   * The request listener, for the Angular CLI, your own server of node:http, node:https or node:http2, or a
   * serverless platform.
   */
  readonly reqHandler: (
    request: NodeRequest,
    response: NodeResponse,
    next?: (error?: unknown) => void,
  ) => void;
  /**
   * Starts background work, as `listen` does: render threads, encodings and features. Requests need not wait for it.
   *
   * @returns A promise that resolves when the first render thread has started and all built files are encoded.
   */
  ready(): Promise<void>;
  /**
   * Starts the server, prints its URL, and shuts it down on SIGTERM and SIGINT.
   *
   * @param options - Default: the port in PORT, else 4000, on all interfaces, 10 s for a shutdown.
   * @returns A promise of the URL, the port and the server, once it accepts connections. It rejects with an SsrError
   * `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN`, `NG_SSR_THREADS_UNAVAILABLE` or `NG_SSR_THREAD_NOT_STARTED`, or
   * with Node's error, such as `EADDRINUSE`. If you do not handle it, the process prints `NG_SSR_START_FAILED` and
   * exits with 1.
   * @example
   * ```ts
   * if (server.isMainModule(import.meta.url)) void server.listen({ port: 4000, host: '127.0.0.1' });
   * ```
   */
  listen<Own extends NetServer = Server>(options?: ListenOptions<Own>): Promise<Listening<Own>>;
  /** Purges cached pages with `purge({ path | prefix | tag, hard? })`, and lists them with `inspect()`. */
  readonly cache: StoredPages;
  /**
   * Shuts down as on a signal, but does not exit: the `ready` probe responds with 503, and after `graceMs` new
   * connections are refused.
   *
   * @returns A promise that resolves when open requests have completed, or were cut off after `timeoutMs`. It rejects
   * with `NG_SSR_CLOSE_FAILED` if `onClose` fails.
   */
  close(): Promise<void>;
  /** Whether the module of this `import.meta.url` is the program that was started. */
  isMainModule(url: string): boolean;
}

/**
 * The members of every server on Node.
 *
 * @param routes - What calls with `inProcess` reach. Default: the server's own listener.
 */
export function toServer(
  handler: SsrHandler,
  requests: RequestListener,
  routes: NodeListener = requests.listener,
): SsrServer {
  handler.useListener(routes);
  const servers = new Listener(requests, handler);
  return {
    reqHandler: toReqHandler(requests.listener),
    cache: handler.cache,
    ready: () => handler.ready(),
    listen: (options) => orEndWithFailure(() => servers.listen(options)),
    close: () => servers.close(),
    isMainModule,
  };
}

/** `listen` and `close` of {@link toServer}. */
class Listener {
  readonly #requests: RequestListener;
  readonly #target: SsrHandler;
  /** How each server that listens, or is about to, is closed. */
  readonly #starts = new Set<Promise<() => Promise<void>>>();

  /** @param target - The handler, which starts and ends with the server. */
  constructor(requests: RequestListener, target: SsrHandler) {
    this.#requests = requests;
    this.#target = target;
  }

  /**
   * @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN`, `NG_SSR_THREADS_UNAVAILABLE`,
   * `NG_SSR_THREAD_NOT_STARTED`; and what node:net throws when the port is taken (`EADDRINUSE`).
   */
  async listen<Own extends NetServer = Server>(
    given: ListenOptions<Own> = {},
  ): Promise<Listening<Own>> {
    checkListen(given);
    const { port, host, fd: descriptor, server: own, announce, shutdown } = given;
    const fd = readSocket({ fd: descriptor, port, host });
    const number = readPort(port);
    const handler = this.#target;
    // Without a server of the caller's, `Own` is that of node:http.
    const server = own ?? (http.createServer(this.#requests.listener) as NetServer as Own);
    const options = { port: number, host, fd, shutdown };
    const start =
      handler.threads?.listen({
        ...{ ...options, server, target: handler, isOwn: own !== undefined },
        bind: async (address) => {
          server.listen({ ...address, reusePort: true });
          await once(server, 'listening');
        },
      }) ?? startListening(server, handler, options);
    this.#starts.add(start);
    try {
      await start;
    } catch (error) {
      this.#starts.delete(start);
      throw error;
    }
    this.#requests.openSocketHits(server as NetServer as Server);
    void handler.ready();
    return toListening(server, { host, announce }, handler.threads?.address);
  }

  /** As {@link SsrServer.close}. */
  async close(): Promise<void> {
    // Node cannot take back a `listen` that is in flight.
    const starts = await Promise.allSettled(this.#starts);
    const listening = starts.filter((start) => start.status === 'fulfilled');
    if (listening.length === 0) await this.#target.close();
    else await Promise.all(listening.map(({ value: close }) => close()));
  }
}

/**
 * The port to listen on: the option, else PORT, else 4000.
 *
 * @throws SsrError `NG_SSR_OPTION_INVALID`
 */
export function readPort(port: number | undefined): number {
  const source = port === undefined ? 'PORT' : 'listen.port';
  // An empty variable counts as unset.
  const number = port ?? Number(process.env['PORT'] || 4000);
  const isPort = isPortNumber(number);
  const meant = typeof port === 'string' && isPortNumber(Number(port)) ? port : undefined;
  check(source, port ?? process.env['PORT'], isPort, 'a number from 0 to 65535', meant);
  return number;
}

function isPortNumber(number: unknown): boolean {
  return Number.isInteger(number) && Number(number) >= 0 && Number(number) <= 65535;
}

/**
 * Lets a server listen.
 *
 * @returns resolves with the function that shuts it down, and rejects with what node:net throws.
 */
export function startListening(
  server: NetServer,
  target: Drainable,
  { port, host, fd, shutdown }: Pick<ListenOptions, 'port' | 'host' | 'fd' | 'shutdown'>,
): Promise<() => Promise<void>> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(fd === undefined ? { port, host } : { fd }, () => {
      server.off('error', reject);
      resolve(shutDownOnSignals(server, target, shutdown));
    });
  });
}

/**
 * Describes a server that listens, and prints where unless `announce` is false.
 *
 * @param shared - Where a server thread listens, which prints nothing.
 */
export function toListening<Own extends NetServer>(
  server: Own,
  { host, announce = true }: Pick<ListenOptions, 'host' | 'announce'>,
  shared?: HandlerThreads['address'],
): Listening<Own> {
  const address = shared ?? (server.address() as AddressInfo | string | null);
  // An inherited socket may be one of the file system.
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const scheme = 'setSecureContext' in server ? 'https' : 'http';
  // Node listens on all addresses for an empty host, such as that of an empty variable.
  const url = `${scheme}://${host === undefined || host === '' ? 'localhost' : toUrlHost(host)}:${port}/`;
  if (announce && shared === undefined) console.log(`Listening on ${url}`);
  return { url, port, server };
}

function toUrlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
