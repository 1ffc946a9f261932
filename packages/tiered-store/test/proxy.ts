import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** How the connections through a proxy are treated from now on. */
export type Weather =
  | 'fine'
  /** Accepted and closed. */
  | 'refusing'
  /** The first bytes of a response arrive, then the connection is reset. */
  | 'cutting'
  /** The bodies of responses are changed. */
  | 'damaging'
  /** Nothing comes back, until {@link Proxy.release}. */
  | 'holding'
  /** Responses are 403 or 503, not from the server. */
  | 'forbidden'
  | 'overloaded';

const REFUSALS: Partial<Record<Weather, string>> = {
  forbidden: toResponse('403 Forbidden', '<Error><Code>AccessDenied</Code></Error>'),
  overloaded: toResponse('503 Slow Down', '<Error><Code>SlowDown</Code></Error>'),
};

/** Between a store and its server: TCP, as bad as it may be. */
export class Proxy {
  weather: Weather = 'fine';
  /** Of each part of a response. */
  delayMs = 0;
  /** Requests, each of which begins in a part of its own. */
  requests = 0;
  readonly port: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #held: (() => void)[] = [];

  private constructor(server: Server, port: number, target: number) {
    this.#server = server;
    this.port = port;
    server.on('connection', (socket) => this.#join(socket, target));
  }

  static async start(target: number): Promise<Proxy> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Proxy(server, (server.address() as AddressInfo).port, target);
  }

  /** Changes how it treats connections, and ends those that there are. */
  turn(weather: Weather): void {
    this.weather = weather;
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Lets go what it holds, and all that follows. */
  release(): void {
    this.weather = 'fine';
    for (const pass of this.#held.splice(0)) pass();
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(socket: Socket, target: number): void {
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => {});
    if (this.weather === 'refusing') return void socket.destroy();
    const server = connect(target, '127.0.0.1');
    server.on('error', () => {});
    server.on('close', () => socket.destroy());
    socket.on('close', () => server.destroy());
    socket.on('data', (chunk) => {
      if (/^(?:GET|PUT) /.test(chunk.toString('latin1', 0, 4))) this.requests++;
      const refusal = REFUSALS[this.weather];
      if (refusal === undefined) server.write(chunk);
      else socket.end(refusal);
    });
    server.on('data', (chunk) => {
      const pass = (): void => this.#pass(socket, chunk);
      if (this.delayMs === 0) pass();
      else setTimeout(pass, this.delayMs);
    });
  }

  #pass(socket: Socket, chunk: Buffer): void {
    if (this.weather === 'holding') return void this.#held.push(() => this.#pass(socket, chunk));
    if (socket.destroyed) return;
    if (this.weather === 'cutting') {
      // In the middle of a body, if it has one.
      const bodyAt = chunk.indexOf('\r\n\r\n') + 4;
      socket.write(chunk.subarray(0, Math.floor((bodyAt + chunk.byteLength) / 2)));
      return void setImmediate(() => socket.resetAndDestroy());
    }
    const isDamaged = this.weather === 'damaging' && chunk.byteLength > 0;
    // The last byte is part of a body, where there is one.
    if (isDamaged && !chunk.subarray(-4).equals(Buffer.from('\r\n\r\n')))
      chunk[chunk.length - 1]! ^= 1;
    socket.write(chunk);
  }
}

function toResponse(status: string, body: string): string {
  return `HTTP/1.1 ${status}\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`;
}
