import { Duplex } from 'node:stream';

/** Between two turns of the event loop: timers must run while a source without waits is written. */
const TURN_BYTES = 64 * 1024;
/** Each write counts as this much at least. */
const LEAST_BYTES = 1024;

type Callback = (error?: Error | null) => void;

/**
 * One end of a connection within the process. It has the members of a socket that node:http, frameworks and their
 * middleware use.
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
  peer!: MemorySocket;
  #isServer = false;
  /** On the server's end: runs the listener in the async context of the request's call. */
  runRequest: (<T>(run: () => T) => T) | undefined;
  /** The end of the peer's write, which waits until this end is read. */
  #written: Callback | undefined;
  #turnBytes = 0;

  private constructor(encrypted: boolean) {
    super({ allowHalfOpen: true });
    this.encrypted = encrypted;
  }

  /** Both ends of a new connection. */
  static pair(encrypted: boolean): readonly [client: MemorySocket, server: MemorySocket] {
    const client = new MemorySocket(encrypted);
    const server = new MemorySocket(encrypted);
    client.peer = server;
    server.peer = client;
    server.#isServer = true;
    return [client, server];
  }

  override _read(): void {
    const written = this.#written;
    this.#written = undefined;
    written?.();
  }

  override _write(chunk: Uint8Array, encoding: string, callback: Callback): void {
    const { peer } = this;
    // An error would destroy the client's end before it has read the response.
    if (peer.destroyed && peer.#isServer) return;
    if (peer.destroyed) return callback(new Error('the connection is closed'));
    if (chunk.byteLength === 0) return void process.nextTick(callback);
    const pass = (): void => {
      if (peer.destroyed) return this._write(chunk, encoding, callback);
      peer.#written = callback;
      peer.push(chunk);
    };
    this.#turnBytes += Math.max(chunk.byteLength, LEAST_BYTES);
    if (this.#turnBytes < TURN_BYTES) return pass();
    this.#turnBytes = 0;
    setImmediate(pass);
  }

  override _final(callback: Callback): void {
    if (!this.peer.destroyed) this.peer.push(null);
    callback();
  }

  override _destroy(error: Error | null, callback: Callback): void {
    callback(error);
    process.nextTick(() => (this.#isServer ? this.peer.#endReading() : this.peer.destroy()));
  }

  /** As over a network, a client may still read what the server had written before it closed the connection. */
  #endReading(): void {
    if (this.destroyed || this.readableEnded) return void this.destroy();
    this.once('end', () => this.destroy());
    this.push(null);
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
