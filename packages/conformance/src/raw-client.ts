import { connect, type Socket } from 'node:net';
import { parseResponse, type ParsedResponse } from './response-parser.ts';

/** How long a read waits for the server before it fails; no case depends on its length. */
const WAIT_MS = 10_000;

/**
 * One TCP connection that sends bytes unchanged, for requests that ordinary clients refuse to send, and
 * reads responses one by one.
 */
export class RawConnection {
  readonly #socket: Socket;
  readonly #onResponse: ((response: ParsedResponse) => void) | undefined;
  readonly #onWrite: ((bytes: string | Uint8Array) => void) | undefined;
  /** Holds the received bytes from `#start` to `#end`; no byte of them is overwritten. */
  #room: Buffer = Buffer.alloc(0);
  #start = 0;
  #end = 0;
  #isOver = false;
  #wake: () => void = () => undefined;
  /** Resolves when the server has closed the connection, or this side has. */
  readonly closed: Promise<void>;

  private constructor(
    socket: Socket,
    onResponse?: (response: ParsedResponse) => void,
    onWrite?: (bytes: string | Uint8Array) => void,
  ) {
    this.#socket = socket;
    this.#onResponse = onResponse;
    this.#onWrite = onWrite;
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()));
    socket.on('data', (chunk: Buffer) => {
      this.#append(chunk);
      this.#wake();
    });
    socket.on('error', () => this.#finish());
    socket.on('end', () => this.#finish());
    socket.on('close', () => this.#finish());
  }

  /**
   * Opens a connection to this machine.
   *
   * @param port - The server's port.
   * @param onResponse - Called with every response that is read.
   * @param onWrite - Called with all bytes that are sent.
   */
  static open(
    port: number,
    onResponse?: (response: ParsedResponse) => void,
    onWrite?: (bytes: string | Uint8Array) => void,
  ): Promise<RawConnection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(new RawConnection(socket, onResponse, onWrite));
      });
    });
  }

  /**
   * Sends bytes unchanged.
   *
   * @param bytes - A string stands for one byte per character.
   */
  write(bytes: string | Uint8Array): void {
    this.#onWrite?.(bytes);
    this.#socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  }

  /**
   * Reads the next response.
   *
   * @param method - The method of the request it answers.
   * @throws Error when the server closes without one, or sends none within ten seconds.
   */
  async read(method = 'GET'): Promise<ParsedResponse> {
    const deadline = AbortSignal.timeout(WAIT_MS);
    for (;;) {
      const parsed = parseResponse(this.#received, method, this.#isOver);
      if (parsed) {
        this.#start += parsed.consumed;
        this.#onResponse?.(parsed.response);
        return parsed.response;
      }
      if (this.#isOver) throw new Error(`The connection ended ${this.#where()}.`);
      if (deadline.aborted) throw new Error(`No response within ${WAIT_MS} ms, ${this.#where()}.`);
      await this.#more(deadline);
    }
  }

  /** Resolves when at least one byte of the next response has arrived. */
  async firstByte(): Promise<void> {
    const deadline = AbortSignal.timeout(WAIT_MS);
    while (!this.#received.length && !this.#isOver && !deadline.aborted) await this.#more(deadline);
    if (!this.#received.length) throw new Error('The server sent nothing.');
  }

  /** Ends this side of the connection; the server closes it after its answer. */
  end(): void {
    this.#socket.end();
  }

  /** Cuts the connection at once. */
  destroy(): void {
    this.#socket.destroy();
  }

  /** Whether the server has closed the connection. */
  get isOver(): boolean {
    return this.#isOver;
  }

  get #received(): Buffer {
    return this.#room.subarray(this.#start, this.#end);
  }

  /** Doubles the buffer when it is full: a large answer is not copied for each chunk. */
  #append(chunk: Buffer): void {
    if (this.#end + chunk.length > this.#room.length) {
      const received = this.#received;
      this.#room = Buffer.allocUnsafeSlow(2 * (received.length + chunk.length));
      this.#start = 0;
      this.#end = received.copy(this.#room);
    }
    this.#end += chunk.copy(this.#room, this.#end);
  }

  #finish(): void {
    this.#isOver = true;
    this.#wake();
  }

  #more(deadline: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        deadline.removeEventListener('abort', done);
        resolve();
      };
      this.#wake = done;
      deadline.addEventListener('abort', done);
    });
  }

  #where(): string {
    if (!this.#received.length) return 'before the first byte of a response';
    return `within a response that starts ${JSON.stringify(this.#received.toString('latin1', 0, 80))}`;
  }
}
