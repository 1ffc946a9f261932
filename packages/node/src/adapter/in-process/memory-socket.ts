import type { AsyncResource } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';
import { Duplex } from 'node:stream';

/** Between two turns of the event loop: timers must run while a source without waits is written. */
const TURN_BYTES = 64 * 1024;
/** Each write counts as this much at least. */
const LEAST_BYTES = 1024;

type Callback = (error?: Error | null) => void;

/** The client of a connection. */
export interface MemoryClient {
  /** Takes what the server has written. `done` is called when more may come. */
  take(bytes: Buffer, done: () => void): void;
  /** The server has ended its side, or the connection is destroyed. */
  close(): void;
  /** The server has read all that was pushed. */
  pull(): void;
}

/**
 * The server's end of a connection within the process. It has the members of a socket that node:http, frameworks and
 * their middleware use.
 */
export class MemorySocket extends Duplex {
  /** Whether it stands for a connection over TLS. */
  readonly encrypted: boolean;
  /** No address, as of a Unix socket: routes may trust 127.0.0.1, and the call of a page may be a visitor's wish. */
  readonly remoteAddress: undefined;
  readonly remoteFamily: undefined;
  readonly remotePort: undefined;
  readonly localAddress: undefined;
  /** Of the request's URL: an adapter compares it with the port in Host. */
  localPort: number | undefined;
  /** Of the call that uses the connection. */
  client: MemoryClient | undefined;
  /** The async context of that call. */
  call: AsyncResource | undefined;
  /** The response that the server makes of it. */
  response: ServerResponse | undefined;
  #turnBytes = 0;

  constructor(encrypted: boolean) {
    super({ allowHalfOpen: true });
    this.encrypted = encrypted;
  }

  /** Calls `next` after that many bytes: now, or in the next turn of the event loop. */
  pace(bytes: number, next: () => void): void {
    this.#turnBytes += Math.max(bytes, LEAST_BYTES);
    if (this.#turnBytes < TURN_BYTES) return next();
    this.#turnBytes = 0;
    setImmediate(next);
  }

  override _read(): void {
    this.client?.pull();
  }

  override _write(chunk: Buffer, _encoding: string, callback: Callback): void {
    const { client } = this;
    // A response that is complete may end later.
    if (chunk.length === 0) return callback();
    if (client === undefined) return callback(new Error('the connection is closed'));
    client.take(chunk, () => this.pace(chunk.length, callback));
  }

  override _writev(chunks: { chunk: Buffer }[], callback: Callback): void {
    const bytes = Buffer.concat(chunks.map(({ chunk }) => chunk));
    this._write(bytes, '', callback);
  }

  override _final(callback: Callback): void {
    this.client?.close();
    callback();
  }

  override _destroy(error: Error | null, callback: Callback): void {
    this.client?.close();
    callback(error);
  }

  /** As of net.Socket. node:http calls it, too, where a socket has it. */
  destroySoon(): void {
    if (this.writable) this.end();
    if (this.writableFinished) this.destroy();
    else this.once('finish', () => this.destroy());
  }

  setTimeout(): this {
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  address(): object {
    return {};
  }
}
