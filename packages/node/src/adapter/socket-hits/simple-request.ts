import type { Socket } from 'node:net';
import type { Exchange } from '@ng-ssr/core/adapter';

/** Longer heads are left to node:http, whose own limit is twice as high by default. */
export const MOST_BYTES = 8192;
export const MOST_HEADERS = 64;
/** How many numbers `places` has for each header: where its name begins and ends, and its value. */
const PLACES = 4;

const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;
const COLON = 0x3a;

/** By character code: 1 for those of a header name (a token, RFC 9110 section 5.6.2). */
const IS_TOKEN = toTable(
  "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
);

/** By character code: that of the letter in lower case, and all others as they are. */
const LOWER = Uint8Array.from({ length: 256 }, (_none, code) =>
  code >= 0x41 && code <= 0x5a ? code + 0x20 : code,
);

/**
 * A request that could not be read in two ways: GET or HEAD of a path, HTTP/1.1, without content, and each header
 * once, on one line, in ASCII.
 */
export class SimpleRequest implements Exchange {
  readonly method: 'GET' | 'HEAD';
  readonly target: string;
  readonly encrypted: boolean;
  readonly status = 200;
  /** The connection that the request came on, for {@link localPort}. */
  socket: Socket | undefined;
  /** @internal */
  parsedRequest: object | undefined;
  readonly #text: string;
  readonly #places: readonly number[];

  constructor(
    method: 'GET' | 'HEAD',
    target: string,
    encrypted: boolean,
    text: string,
    places: readonly number[],
  ) {
    this.method = method;
    this.target = target;
    this.encrypted = encrypted;
    this.#text = text;
    this.#places = places;
  }

  get localPort(): number | undefined {
    return this.socket?.localPort;
  }

  get headerCount(): number {
    return this.#places.length / PLACES;
  }

  header(name: string): string | undefined {
    const places = this.#places;
    const { length } = name;
    for (let at = 0; at < places.length; at += PLACES) {
      const start = places[at]!;
      if (places[at + 1]! - start === length && isNamed(this.#text, start, name)) {
        return this.#text.slice(places[at + 2], places[at + 3]);
      }
    }
    return undefined;
  }

  *headers(): Iterable<readonly [string, string]> {
    for (let at = 0; at < this.#places.length; at += PLACES) {
      const name = this.#text.slice(this.#places[at], this.#places[at + 1]).toLowerCase();
      yield [name, this.#text.slice(this.#places[at + 2], this.#places[at + 3])];
    }
  }

  async content(): Promise<Uint8Array> {
    return new Uint8Array();
  }
}

/**
 * Reads bytes that are one whole {@link SimpleRequest}, from the first byte to the last.
 *
 * @param encrypted - As in {@link Exchange.encrypted}.
 * @returns undefined for all other bytes, valid or not: node:http judges these.
 */
export function readSimpleRequest(bytes: Buffer, encrypted: boolean): SimpleRequest | undefined {
  const { length } = bytes;
  if (length > MOST_BYTES || bytes[length - 1] !== LF || bytes[length - 3] !== LF) return undefined;
  const text = bytes.toString('latin1');
  const method = text.startsWith('GET /') ? 'GET' : text.startsWith('HEAD /') ? 'HEAD' : undefined;
  if (method === undefined) return undefined;
  const targetEnd = endOfTarget(text, method.length + 1);
  if (!text.startsWith(' HTTP/1.1\r\n', targetEnd)) return undefined;
  const places = readHeaders(text, targetEnd + 11);
  if (places === undefined) return undefined;
  const target = text.slice(method.length + 1, targetEnd);
  const request = new SimpleRequest(method, target, encrypted, text, places);
  return request.header('host') === undefined ? undefined : request;
}

/** A fragment, which has no place in a target, ends it: node:http takes one for a part of it. */
function endOfTarget(text: string, from: number): number {
  for (let i = from; ; i++) {
    const code = text.charCodeAt(i);
    // Not a number past the end.
    if (!(code > SPACE && code < 0x7f) || code === 0x23 /* # */) return i;
  }
}

/** @returns undefined if a header is malformed, repeated, or says more than a simple request may. */
function readHeaders(text: string, from: number): readonly number[] | undefined {
  const places: number[] = [];
  for (let i = from; ;) {
    if (text.charCodeAt(i) === CR) {
      return text.charCodeAt(i + 1) === LF && i + 2 === text.length ? places : undefined;
    }
    const nameStart = i;
    while (IS_TOKEN[text.charCodeAt(i)] === 1) i++;
    const nameEnd = i;
    if (nameEnd === nameStart || text.charCodeAt(i++) !== COLON) return undefined;
    let code = text.charCodeAt(i);
    while (code === SPACE || code === TAB) code = text.charCodeAt(++i);
    const valueStart = i;
    let valueEnd = i;
    while ((code >= SPACE && code < 0x7f) || code === TAB) {
      i++;
      if (code !== SPACE && code !== TAB) valueEnd = i;
      code = text.charCodeAt(i);
    }
    if (code !== CR || text.charCodeAt(i + 1) !== LF) return undefined;
    i += 2;
    if (!isSimple(text, places, nameStart, nameEnd, valueStart, valueEnd)) return undefined;
    places.push(nameStart, nameEnd, valueStart, valueEnd);
    if (places.length > MOST_HEADERS * PLACES) return undefined;
  }
}

/** Whether a header is the first of its name, and concerns neither the framing nor the connection. */
function isSimple(
  text: string,
  places: readonly number[],
  nameStart: number,
  nameEnd: number,
  valueStart: number,
  valueEnd: number,
): boolean {
  const length = nameEnd - nameStart;
  switch (length) {
    case 6:
      if (isNamed(text, nameStart, 'expect')) return false;
      break;
    case 10:
      if (!isNamed(text, nameStart, 'connection')) break;
      if (valueEnd - valueStart !== 10 || !isNamed(text, valueStart, 'keep-alive')) return false;
      break;
    case 14:
      if (isNamed(text, nameStart, 'content-length')) return false;
      break;
    case 16:
      if (isNamed(text, nameStart, 'proxy-connection')) return false;
      break;
    case 17:
      if (isNamed(text, nameStart, 'transfer-encoding')) return false;
  }
  for (let at = 0; at < places.length; at += PLACES) {
    const start = places[at]!;
    if (places[at + 1]! - start === length && isSameName(text, start, nameStart, length)) {
      return false;
    }
  }
  return true;
}

function isSameName(text: string, one: number, other: number, length: number): boolean {
  for (let i = 0; i < length; i++) {
    if (LOWER[text.charCodeAt(one + i)] !== LOWER[text.charCodeAt(other + i)]) return false;
  }
  return true;
}

/** @param name - In lower case. */
function isNamed(text: string, start: number, name: string): boolean {
  for (let i = 0; i < name.length; i++) {
    if (LOWER[text.charCodeAt(start + i)] !== name.charCodeAt(i)) return false;
  }
  return true;
}

function toTable(characters: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}
