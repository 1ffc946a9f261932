import type { Answer } from '@ng-ssr/core/adapter';
import { http } from '../node-http.ts';

/** An answer as it goes over the wire: in one piece, or its head and its content. */
export type WireBytes = readonly [head: Buffer] | readonly [head: Buffer, content: Uint8Array];

/** Larger contents are written beside their head: a copy would cost more than the second buffer. */
const MOST_COPIED_BYTES = 64 * 1024;
/** How many answers are kept in one piece, which together are at most 16 MiB. */
const MOST_KEPT = 256;

/** Fields by which node:http changes the others, or the end of the message. */
const OWN_FIELDS = /^(?:connection|date|keep-alive|trailer|transfer-encoding|upgrade)$/i;
/** What node:http refuses in a value. */
const NO_VALUE = /[^\t\x20-\x7e\x80-\xff]/;

/** Makes the bytes that node:http would write for an answer, once a second for each. */
export class AnswerBytes {
  readonly keepAliveTimeoutMs: number;
  readonly #keepAlive: string;
  /** By the field list of an answer, which requests for the same representation share. */
  readonly #kept = new Map<readonly string[], Kept>();
  #second = -1;
  #end = '';

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
    const { body, headers } = answer;
    const kept = this.#kept.get(headers);
    if (kept?.body === body && kept.status === answer.status) return kept.bytes;
    const bytes = this.#make(answer, isHead);
    if (bytes !== undefined && this.#kept.size < MOST_KEPT) {
      this.#kept.set(headers, { body, status: answer.status, bytes });
    }
    return bytes;
  }

  #begin(second: number): void {
    this.#second = second;
    this.#kept.clear();
    this.#end = `Date: ${new Date(second * 1000).toUTCString()}\r\n${this.#keepAlive}`;
  }

  #make({ status, headers, body }: Answer, isHead: boolean): WireBytes | undefined {
    const reason = http.STATUS_CODES[status];
    if (reason === undefined || status < 200) return undefined;
    let head = `HTTP/1.1 ${status} ${reason}\r\n`;
    let length: string | undefined;
    for (let i = 0; i < headers.length; i += 2) {
      const name = headers[i]!;
      const value = headers[i + 1]!;
      if (OWN_FIELDS.test(name) || NO_VALUE.test(value)) return undefined;
      if (name.length === 14 && name.toLowerCase() === 'content-length') length = value;
      head += `${name}: ${value}\r\n`;
    }
    head += this.#end;
    if (body === null || body.byteLength === 0) {
      const isBare = isHead || status === 304 || status === 204 || length === '0';
      return isBare ? [Buffer.from(head, 'latin1')] : undefined;
    }
    if (isHead || status === 304 || status === 204) return undefined;
    if (length !== String(body.byteLength)) return undefined;
    if (body.byteLength > MOST_COPIED_BYTES) return [Buffer.from(head, 'latin1'), body];
    const bytes = Buffer.allocUnsafeSlow(head.length + body.byteLength);
    bytes.write(head, 'latin1');
    bytes.set(body, head.length);
    return [bytes];
  }
}

interface Kept {
  readonly body: Uint8Array | null;
  readonly status: number;
  readonly bytes: WireBytes;
}
