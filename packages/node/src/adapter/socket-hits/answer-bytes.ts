import type { Answer } from '@ng-ssr/core/adapter';
import { http } from '../node-http.ts';

/** An answer as it goes over the wire: in one piece, or its head and its content. */
export type WireBytes = readonly [head: Buffer] | readonly [head: Buffer, content: Uint8Array];

/** Larger contents are written beside their head: a copy would cost more than the second buffer. */
const MOST_COPIED_BYTES = 64 * 1024;
/** How many answers are kept in one piece, which together are at most 16 MiB. */
const MOST_KEPT = 256;

/** Makes the bytes that node:http would write for an answer, and keeps those of frequent ones for a second. */
export class AnswerBytes {
  readonly keepAliveTimeoutMs: number;
  readonly #keepAlive: string;
  /** By the header list of an answer, which requests for the same representation share. */
  readonly #kept = new Map<readonly string[], Kept>();
  /**
   * The lists of answers that were made once. Ranges and pages with a nonce are never made again: kept, they would
   * leave no room for the others.
   */
  readonly #made = new Set<readonly string[]>();
  #second = -1;
  #date = '';

  /** @param keepAliveTimeoutMs - The server's `keepAliveTimeout`. */
  constructor(keepAliveTimeoutMs: number) {
    this.keepAliveTimeoutMs = keepAliveTimeoutMs;
    const seconds = Math.floor(keepAliveTimeoutMs / 1000);
    const timeout = keepAliveTimeoutMs > 0 ? `Keep-Alive: timeout=${seconds}\r\n` : '';
    this.#keepAlive = `Connection: keep-alive\r\n${timeout}\r\n`;
  }

  /**
   * @param second - The time, in seconds since 1970.
   * @returns undefined for an answer that only node:http can write.
   */
  of(answer: Answer, isHead: boolean, second: number): WireBytes | undefined {
    if (second !== this.#second) this.#begin(second);
    const { body, headers, status } = answer;
    const kept = this.#kept.get(headers);
    if (kept?.body === body && kept.status === status) return kept.bytes;
    const head = this.#headOf(answer, isHead);
    if (head === undefined) return undefined;
    const hasContent = body !== null && body.byteLength > 0;
    if (!this.#made.has(headers)) {
      if (this.#made.size >= MOST_KEPT) this.#made.clear();
      this.#made.add(headers);
      const bytes = Buffer.from(head, 'latin1');
      return hasContent ? [bytes, body] : [bytes];
    }
    const bytes = join(head, body);
    if (this.#kept.size < MOST_KEPT) this.#kept.set(headers, { body, status, bytes });
    return bytes;
  }

  #begin(second: number): void {
    this.#second = second;
    this.#kept.clear();
    this.#made.clear();
    this.#date = `Date: ${new Date(second * 1000).toUTCString()}\r\n`;
  }

  /** The status line and all headers. */
  #headOf({ status, headers, body }: Answer, isHead: boolean): string | undefined {
    const reason = http.STATUS_CODES[status];
    if (reason === undefined || status < 200 || !areValues(headers)) return undefined;
    let head = `HTTP/1.1 ${status} ${reason}\r\n`;
    let date = this.#date;
    let length: string | undefined;
    for (let i = 0; i < headers.length; i += 2) {
      const name = headers[i]!;
      const value = headers[i + 1]!;
      // The headers by which node:http changes others, or the end of the message.
      switch (name.length) {
        case 4:
          if (name.toLowerCase() === 'date') date = '';
          break;
        case 14:
          if (name.toLowerCase() === 'content-length') length = value;
          break;
        case 7:
        case 10:
        case 17:
          if (CONNECTION_HEADERS.has(name.toLowerCase())) return undefined;
      }
      head += `${name}: ${value}\r\n`;
    }
    const hasContent = !isHead && status !== 304 && status !== 204;
    const bytes = body === null ? 0 : body.byteLength;
    const isFramed =
      bytes > 0 ? hasContent && length === String(bytes) : !hasContent || length === '0';
    return isFramed ? head + date + this.#keepAlive : undefined;
  }
}

interface Kept {
  readonly body: Uint8Array | null;
  readonly status: number;
  readonly bytes: WireBytes;
}

const CONNECTION_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Whether node:http takes all values of a header list. */
function areValues(headers: readonly string[]): boolean {
  for (let at = 1; at < headers.length; at += 2) {
    const value = headers[at]!;
    for (let i = 0; i < value.length; i++) {
      const code = value.charCodeAt(i);
      if (code < 0x20 ? code !== 0x09 : code === 0x7f || code > 0xff) return false;
    }
  }
  return true;
}

function join(head: string, body: Uint8Array | null): WireBytes {
  if (body === null || body.byteLength === 0) return [Buffer.from(head, 'latin1')];
  if (body.byteLength > MOST_COPIED_BYTES) return [Buffer.from(head, 'latin1'), body];
  const bytes = Buffer.allocUnsafeSlow(head.length + body.byteLength);
  bytes.write(head, 'latin1');
  bytes.set(body, head.length);
  return [bytes];
}
