import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { check, type StoredPages } from '@ng-ssr/core';

/** Where to listen. */
export interface ListenOptions {
  /** Default: PORT, else 4000. 0 takes any free port. */
  readonly port?: number | undefined;
  /** The address to bind to. Default: every interface. */
  readonly host?: string | undefined;
  /** Whether to print the URL. Default: true. */
  readonly announce?: boolean | undefined;
}

/** A server that listens. */
export interface Listening {
  /** What to open in a browser. */
  readonly url: string;
  readonly port: number;
  readonly server: Server;
}

/** What every server on Node has, beside its framework's app and router. */
export interface SsrServer {
  /** The request listener, for the Angular CLI, a server of yours or a serverless platform. */
  readonly reqHandler: (
    request: IncomingMessage,
    response: ServerResponse,
    next?: (error?: unknown) => void,
  ) => void;
  /** Resolves when every built file has its content codings; requests need not wait for it. */
  ready(): Promise<void>;
  listen(options?: ListenOptions): Promise<Listening>;
  /** Stored pages: to purge and to look at. */
  readonly cache: StoredPages;
  /** Refuses new connections and resolves when the requests under way are answered. */
  close(): Promise<void>;
  /** Whether the module of this `import.meta.url` is the program that was started. */
  isMain(url: string): boolean;
}

/** `listen` and `close` of every Node-based adapter. */
export class Listener {
  readonly #requestListener: RequestListener;
  readonly #onClose: () => Promise<void>;
  #server: Server | undefined;

  constructor(requestListener: RequestListener, onClose: () => Promise<void>) {
    this.#requestListener = requestListener;
    this.#onClose = onClose;
  }

  /**
   * @throws SsrError `NG_SSR_OPTION_INVALID` for a port that is none; and what node:net throws
   * when the port is taken (`EADDRINUSE`).
   */
  async listen({ port, host, announce }: ListenOptions = {}): Promise<Listening> {
    const number = readPort(port);
    const server = createServer(this.#requestListener);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(number, host, () => {
        server.off('error', reject);
        resolve();
      });
    });
    this.#server = server;
    return toListening(server, { host, announce });
  }

  /** Refuses new connections and resolves when the requests under way are answered. */
  async close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server !== undefined) await refuseConnections(server);
    await this.#onClose();
  }
}

/** Resolves when the requests under way are answered. */
async function refuseConnections(server: Server): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.close((error) => (error === undefined ? resolve() : reject(error)));
    server.closeIdleConnections();
  });
}

/**
 * The port to listen on: the option, else PORT, else 4000.
 *
 * @throws SsrError `NG_SSR_OPTION_INVALID`
 */
export function readPort(port: number | undefined): number {
  const source = port === undefined ? 'PORT' : 'port';
  const number = port ?? Number(process.env['PORT'] ?? 4000);
  const isPort = Number.isInteger(number) && number >= 0 && number <= 65535;
  check(source, port ?? process.env['PORT'], isPort, 'a number from 0 to 65535');
  return number;
}

/** Describes a server that listens, and prints where unless `announce` is false. */
export function toListening(server: Server, { host, announce = true }: ListenOptions): Listening {
  const { port } = server.address() as AddressInfo;
  const url = `http://${host === undefined ? 'localhost' : toUrlHost(host)}:${port}/`;
  if (announce) console.log(`Listening on ${url}`);
  return { url, port, server };
}

function toUrlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
