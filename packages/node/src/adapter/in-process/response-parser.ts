/** The head of a response. */
export interface ResponseHead {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  /** Of the content; undefined if the head does not say it. */
  readonly length: number | undefined;
}

/** What a parser finds. */
export interface ParsedResponse {
  onHead(head: ResponseHead): void;
  onContent(bytes: Buffer): void;
}

type State =
  'head' | 'content' | 'until-close' | 'size' | 'chunk' | 'chunk-end' | 'trailers' | 'end';

/** Forwarded cookies may come back; node:http's own limit is for strangers. */
const MAX_HEAD_BYTES = 128 * 1024;
const EMPTY = Buffer.alloc(0);
const NO_RESPONSE = 'the connection was closed without a response';

/**
 * Parses the response to one request (RFC 9112) as a server writes it. It is node:http's own, except where a route
 * writes to the socket, so what is malformed fails, and nothing is repaired.
 */
export class ResponseParser {
  readonly #method: string;
  readonly #found: ParsedResponse;
  #state: State = 'head';
  /** The part of a head, a chunk's size or a trailer that has arrived. */
  #rest = EMPTY;
  /** Of the content or the chunk. */
  #left = 0;
  /** Whether the connection may be used again. */
  isPersistent = true;

  constructor(method: string, found: ParsedResponse) {
    this.#method = method;
    this.#found = found;
  }

  get isEnded(): boolean {
    return this.#state === 'end';
  }

  /** @throws Error for bytes that are no HTTP/1.1 response. */
  take(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length) {
      switch (this.#state) {
        case 'end':
          // What follows cannot be told from the response to the next request.
          this.isPersistent = false;
          return;
        case 'until-close':
          return this.#found.onContent(at === 0 ? bytes : bytes.subarray(at));
        case 'content':
        case 'chunk': {
          const part = bytes.subarray(at, at + this.#left);
          at += part.length;
          this.#left -= part.length;
          this.#found.onContent(part);
          if (this.#left > 0) break;
          if (this.#state === 'content') this.#end();
          else this.#state = 'chunk-end';
          break;
        }
        default:
          at = this.#takeText(bytes, at);
      }
    }
  }

  /**
   * The server has ended the connection.
   *
   * @throws Error if the response was not complete.
   */
  close(): void {
    if (this.#state === 'until-close') this.#end();
    if (this.#state === 'head') throw new Error(NO_RESPONSE);
    if (this.#state !== 'end') {
      throw Object.assign(new Error('the connection was closed'), { code: 'ECONNRESET' });
    }
  }

  /** Takes a head or a line, as soon as it is complete. */
  #takeText(bytes: Buffer, from: number): number {
    const { length } = this.#rest;
    const all = length === 0 ? bytes : Buffer.concat([this.#rest, bytes.subarray(from)]);
    const start = length === 0 ? from : 0;
    const mark = this.#state === 'head' ? '\r\n\r\n' : '\r\n';
    const end = all.indexOf(mark, start, 'latin1');
    if ((end === -1 ? all.length : end) - start > MAX_HEAD_BYTES)
      throw new Error('a head is too long');
    if (end === -1) {
      this.#rest = Buffer.from(all.subarray(start));
      return bytes.length;
    }
    this.#rest = EMPTY;
    this.#takeLine(all.toString('latin1', start, end));
    return end + mark.length - (length === 0 ? 0 : length - from);
  }

  #takeLine(text: string): void {
    switch (this.#state) {
      case 'head':
        return this.#takeHead(text);
      case 'size': {
        const [, size] = /^([\da-f]{1,12})[ \t]*(?:;.*)?$/i.exec(text) ?? [];
        if (size === undefined) throw new Error('the size of a chunk is malformed');
        this.#left = Number.parseInt(size, 16);
        this.#state = this.#left === 0 ? 'trailers' : 'chunk';
        return;
      }
      case 'chunk-end':
        if (text !== '') throw new Error('a chunk is longer than its size');
        this.#state = 'size';
        return;
      default:
        if (text === '') this.#end();
    }
  }

  #takeHead(text: string): void {
    const [first, ...lines] = text.split('\r\n');
    const [, version, code, statusText = ''] =
      /^HTTP\/1\.([01]) (\d{3})(?: (.*))?$/.exec(first!) ?? [];
    if (code === undefined) throw new Error('the response is malformed');
    const status = Number(code);
    if (status === 101) throw new Error(NO_RESPONSE);
    // Such as 103 (Early Hints): the response follows.
    if (status < 200) return;
    const headers = new Headers();
    let length: number | undefined;
    let isChunked = false;
    let isPersistent = version === '1';
    for (const line of lines) {
      const colon = line.indexOf(':');
      if (colon < 1) throw new Error('a header of the response is malformed');
      const name = line.slice(0, colon).toLowerCase();
      const value = line.slice(colon + 1);
      if (name === 'content-length') length = toLength(value.trim(), length);
      else if (name === 'transfer-encoding') isChunked = /(?:^|[ ,])chunked *$/i.test(value);
      else if (name === 'connection') isPersistent &&= !/\bclose\b/i.test(value);
      headers.append(name, value);
    }
    this.isPersistent = isPersistent;
    const hasContent = this.#method !== 'HEAD' && status !== 204 && status !== 304;
    if (!hasContent) length = 0;
    else if (isChunked) length = undefined;
    this.#left = length ?? 0;
    this.#state =
      isChunked && hasContent ? 'size' : length === undefined ? 'until-close' : 'content';
    if (this.#state === 'until-close') this.isPersistent = false;
    this.#found.onHead({ status, statusText, headers, length });
    if (length === 0) this.#end();
  }

  #end(): void {
    this.#state = 'end';
  }
}

function toLength(value: string, before: number | undefined): number {
  const length = /^\d{1,15}$/.test(value) ? Number(value) : -1;
  if (length === -1 || (before !== undefined && before !== length)) {
    throw new Error('the Content-Length of the response is malformed');
  }
  return length;
}
