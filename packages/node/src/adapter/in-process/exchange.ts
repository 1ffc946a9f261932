import type { RouteRequest, RouteResponse } from '@ng-ssr/core/adapter';
import type { MemoryClient, MemorySocket } from './memory-socket.ts';
import { type ResponseHead, ResponseParser } from './response-parser.ts';
import { Upload } from './upload.ts';

/** Content of an announced length up to this is read before the call is answered. */
const WHOLE_BYTES = 64 * 1024;

/** Where an exchange ends. */
export interface ExchangeEnds {
  readonly resolve: (response: RouteResponse) => void;
  readonly reject: (error: unknown) => void;
  /** Called when the response is complete, and the connection may be used for the next request once its route has ended. */
  readonly free: (socket: MemorySocket) => void;
}

/** A request and its response, over a connection within the process. */
export class Exchange implements MemoryClient {
  readonly #socket: MemorySocket;
  readonly #signal: AbortSignal;
  readonly #ends: ExchangeEnds;
  readonly #parser: ResponseParser;
  readonly #upload: Upload | undefined;
  #head: ResponseHead | undefined;
  /** Content that is not passed on yet. */
  #chunks: Buffer[] = [];
  /** Of content that is read while it arrives. */
  #stream: ReadableStreamDefaultController<Uint8Array> | undefined;
  #isWanted = false;
  /** The end of the server's write, which waits until its content is read. */
  #written: (() => void) | undefined;
  #isOver = false;

  constructor(
    socket: MemorySocket,
    { method, body, signal }: Pick<RouteRequest, 'method' | 'body' | 'signal'>,
    ends: ExchangeEnds,
  ) {
    this.#socket = socket;
    this.#signal = signal;
    this.#ends = ends;
    this.#parser = new ResponseParser(method, {
      onHead: (head) => void (this.#head = head),
      onContent: (bytes) => void this.#chunks.push(bytes),
    });
    if (body !== null) this.#upload = new Upload(socket, body, this.#fail);
  }

  /** @param head - Of the request. */
  start(head: string): void {
    this.#socket.client = this;
    this.#signal.addEventListener('abort', this.#abort);
    if (this.#signal.aborted) return this.#abort();
    // As over a network: an error that the listener throws is not one of the call.
    process.nextTick(() => {
      if (this.#isOver) return;
      if (this.#upload === undefined) this.#socket.push(head, 'latin1');
      else this.#upload.start(head);
    });
  }

  take(bytes: Buffer, done: () => void): void {
    // More than the response: it cannot be told from the next one.
    if (this.#isOver) return void this.#socket.destroy();
    this.#written = done;
    this.#advance(() => this.#parser.take(bytes));
  }

  close(): void {
    if (!this.#isOver) this.#advance(() => this.#parser.close());
  }

  pull(): void {
    this.#upload?.pull();
  }

  #advance(parse: () => void): void {
    try {
      parse();
    } catch (error) {
      return this.#fail(error);
    }
    const head = this.#head;
    if (head === undefined) return this.#acknowledge();
    if (this.#stream !== undefined) return this.#pass();
    if (this.#parser.isEnded) {
      this.#acknowledge();
      this.#complete();
      const body = head.length === 0 ? null : Buffer.concat(this.#chunks);
      return this.#ends.resolve(toResponse(head, body));
    }
    if (head.length !== undefined && head.length <= WHOLE_BYTES) return this.#keepLast();
    this.#ends.resolve(toResponse(head, this.#openStream()));
  }

  /** Routes may write to their buffers again once their writes have ended. */
  #keepLast(): void {
    const last = this.#chunks.pop();
    if (last !== undefined) this.#chunks.push(Buffer.from(last));
    this.#acknowledge();
  }

  #openStream(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        start: (stream) => void (this.#stream = stream),
        pull: () => {
          this.#isWanted = true;
          this.#pass();
        },
        cancel: (reason) => {
          this.#stream = undefined;
          this.#fail(reason);
        },
      },
      { highWaterMark: 0 },
    );
  }

  /** Passes content on to the reader who waits for it. */
  #pass(): void {
    while (this.#isWanted && this.#chunks.length > 0) {
      this.#isWanted = false;
      // A copy: routes may write to their buffers again, and small ones share their memory with others.
      this.#stream!.enqueue(new Uint8Array(this.#chunks.shift()!));
    }
    if (this.#isOver || this.#chunks.length > 0) return;
    this.#acknowledge();
    // The next write, with the end, may have come by that.
    if (this.#chunks.length > 0 || !this.#parser.isEnded || this.#isOver) return;
    this.#stream!.close();
    this.#complete();
  }

  #acknowledge(): void {
    const written = this.#written;
    this.#written = undefined;
    written?.();
  }

  #complete(): void {
    const socket = this.#socket;
    this.#end();
    // As undici does: content that the route has not waited for is not read on.
    if (this.#upload?.stop() === true) return void socket.destroy();
    if (socket.destroyed) return;
    if (this.#parser.isPersistent && socket.readableLength === 0) return this.#ends.free(socket);
    socket.push(null);
  }

  readonly #abort = (): void => this.#fail(this.#signal.reason);

  readonly #fail = (error: unknown): void => {
    if (this.#isOver) return;
    this.#end();
    this.#upload?.stop(error);
    this.#chunks = [];
    this.#stream?.error(error);
    this.#ends.reject(error);
    this.#socket.destroy();
  };

  #end(): void {
    this.#isOver = true;
    this.#signal.removeEventListener('abort', this.#abort);
  }
}

function toResponse(
  { status, statusText, headers }: ResponseHead,
  body: RouteResponse['body'],
): RouteResponse {
  return { status, statusText, headers, body };
}
