import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** How a connection of a special client has ended. */
export interface Ending {
  /** All that came, as one byte per character; of a large answer its beginning. */
  readonly text: string;
  readonly bytes: number;
  /** The code of the error it ended with. */
  readonly error: string | undefined;
}

/** A connection that sends what it is told to, when it is told to. */
export class SpecialClient {
  readonly #socket: Socket;
  readonly ended: Promise<Ending>;
  #text = '';
  #bytes = 0;

  private constructor(socket: Socket) {
    this.#socket = socket;
    let error: string | undefined;
    socket.on('error', ({ code }: NodeJS.ErrnoException) => (error = code));
    socket.on('data', (chunk: Buffer) => {
      this.#bytes += chunk.length;
      if (this.#text.length < 100_000) this.#text += chunk.toString('latin1');
    });
    // Not `once` of node:events, which rejects with the error.
    const closed = new Promise((resolve) => socket.once('close', resolve));
    this.ended = closed.then(() => ({ text: this.#text, bytes: this.#bytes, error }));
  }

  static async open(port: number): Promise<SpecialClient> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    return new SpecialClient(socket);
  }

  /** All that has come so far. */
  get text(): string {
    return this.#text;
  }

  send(text: string): void {
    this.#socket.write(text, 'latin1');
  }

  /** Sends a request, and reads its answer's head and at least one byte behind it. */
  async ask(path: string): Promise<void> {
    const before = this.#bytes;
    this.send(head(path));
    while (this.#bytes === before) await once(this.#socket, 'data');
  }

  /** Reads nothing for a while: the server cannot send more than what the kernel takes. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  destroy(): void {
    this.#socket.destroy();
  }
}

/** The head of a GET request. */
export function head(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;
}
