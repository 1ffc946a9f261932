import type { RouteRequest } from '@ng-ssr/core/adapter';
import type { MemorySocket } from './memory-socket.ts';

const CRLF = Buffer.from('\r\n');

/** The content of a request: its bytes, or a stream in chunks (RFC 9112 section 7.1), at the pace of its reader. */
export class Upload {
  readonly #socket: MemorySocket;
  readonly #body: NonNullable<RouteRequest['body']>;
  readonly #onError: (error: unknown) => void;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  #wake: (() => void) | undefined;

  /** @param onError - Called if the stream fails. */
  constructor(
    socket: MemorySocket,
    body: NonNullable<RouteRequest['body']>,
    onError: (error: unknown) => void,
  ) {
    this.#socket = socket;
    this.#body = body;
    this.#onError = onError;
    if (body instanceof ReadableStream) this.#reader = body.getReader();
  }

  /** @param head - Of the request. A stream that fails at once sends none, as with `fetch`. */
  start(head: string): void {
    const reader = this.#reader;
    if (reader !== undefined) return void this.#pump(reader, head).catch(this.#onError);
    this.#socket.push(head, 'latin1');
    this.#socket.push(this.#body);
  }

  /** The server has read what was sent. */
  pull(): void {
    this.#wake?.();
  }

  /** @returns whether there was more to send. */
  stop(reason?: unknown): boolean {
    const reader = this.#reader;
    if (reader === undefined) return false;
    this.#reader = undefined;
    this.pull();
    reader.cancel(reason).catch(() => {});
    return true;
  }

  async #pump(reader: ReadableStreamDefaultReader<Uint8Array>, head: string): Promise<void> {
    let before = head;
    for (;;) {
      const { done, value } = await reader.read();
      if (this.#reader === undefined) return;
      if (done) break;
      if (!(value instanceof Uint8Array)) throw new TypeError('a chunk is not a Uint8Array');
      const { byteLength } = value;
      if (byteLength === 0) continue;
      const size = Buffer.from(`${before}${byteLength.toString(16)}\r\n`, 'latin1');
      before = '';
      const mayGoOn = this.#socket.push(Buffer.concat([size, value, CRLF]));
      if (!mayGoOn) await new Promise<void>((resolve) => (this.#wake = resolve));
      await new Promise<void>((resolve) => this.#socket.pace(byteLength, resolve));
      if (this.#reader === undefined) return;
    }
    this.#reader = undefined;
    this.#socket.push(`${before}0\r\n\r\n`, 'latin1');
  }
}
