import { brotliCompressSync } from 'node:zlib';
import { entityTag } from '@ng-ssr/etag';
import type { Random } from '@ng-ssr/conformance/fuzz';
import { page } from '@ng-ssr/conformance/page-store';
import { digestOf } from '@ng-ssr/core/store';

/** What no answer may hold: the content of an entry under another key. */
export const FOREIGN = 'an entry of another key';

/** Headers whose meaning an answer depends on, and what is none. */
const NAMES = [
  ...['content-type', 'etag', 'last-modified', 'date', 'expires', 'vary', 'location', 'Link'],
  ...['cache-control', 'cdn-cache-control', 'content-encoding', 'content-range', 'age', 'x-a'],
  ...['set-cookie', 'Content-Length', 'transfer-encoding', 'connection', 'trailer', 'upgrade'],
  ...['cache-status', 'content-security-policy', 'keep-alive', 'accept-ranges', 'allow', 'host'],
  ...['__proto__', 'constructor', 'hasOwnProperty', '', ' ', 'a b', 'a:b', 'x\r\ny', 'ü', '\0'],
];
const TEXTS = [
  ...[
    ...['', ' ', 'a', '*', '"a"', 'W/"a"', '"', 'a\r\nset-cookie: a=b', 'a\nb', 'a\0', '\x7f'],
    '\xff',
  ],
  ...['ü', '\u{1f600}', '\ud800', 'x'.repeat(70_000), '5', '-1', 'chunked', 'gzip', 'br, gzip'],
  ...['text/html', 'text/html; charset=utf-8', 'max-age=60', 'no-store', 'private', 's-maxage=1e9'],
  ...['Fri, 20 Nov 2026 12:00:00 GMT', 'Fri, 99 Nov 2026', '0', 'bytes 0-1/2', 'http://[', '//a'],
  ...["script-src 'nonce-bm9uY2UtaGVyZQ'", '/p', 'p', 'accept-language', 'Cookie', '__proto__'],
];
const NUMBERS = [
  ...[-1, -0, 0, 0.5, 1, 60, 199, 200, 203, 204, 206, 226, 299, 301, 302, 304, 307, 400, 404, 410],
  ...[416, 500, 503, 599, 600, 999, 1e3, 2 ** 31, 2 ** 32, 2 ** 53, 2 ** 63, 1e308, 5e-324],
];
/** Numbers that are none in JSON, in the bytes before it. */
const DOUBLES = [...NUMBERS, NaN, Infinity, -Infinity, Date.now(), Date.now() * 2];

/** Values of a right format and with a right checksum that a process of this build has not written. */
export class HostileEntries {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /**
   * @param key - The key it will be found under.
   * @param version - Of the latest purge.
   */
  next(key: string, version: number): Buffer {
    const random = this.#random;
    const { dateMs: _, body: _body, ...headers } = page('');
    const metadata: Record<string, unknown> = { ...headers, key: digestOf(key) };
    let body: Buffer = Buffer.from(`<p>${'the page '.repeat(random.below(200))}</p>`);
    if (random.chance(0.2)) metadata['vary'] = random.chance(0.5) ? ['accept'] : this.#list(3);
    if (random.chance(0.3)) metadata['nonceAt'] = this.#numbers();
    if (random.chance(0.3)) {
      metadata['length'] = body.byteLength;
      body = brotliCompressSync(body);
      if (random.chance(0.2)) body = this.#scratch(body);
    }
    for (let count = random.below(4); count > 0; count--) this.#change(metadata);
    if (metadata['key'] !== digestOf(key)) body = Buffer.from(FOREIGN);
    let json: Buffer = Buffer.from(toJson(metadata));
    if (random.chance(0.1)) json = this.#scratch(json);
    if (random.chance(0.05)) json = Buffer.from(this.#deep());
    return this.#seal(json, random.chance(0.1) ? Buffer.alloc(0) : body, version);
  }

  #change(metadata: Record<string, unknown>): void {
    const random = this.#random;
    const name = random.pick([...Object.keys(metadata), '__proto__', 'dateMs', 'body', 'x']);
    if (random.chance(0.3)) metadata['headers'] = this.#headers();
    else if (random.chance(0.2)) metadata['status'] = random.pick(NUMBERS);
    else if (random.chance(0.1)) metadata['key'] = digestOf(`/other/${random.below(100)}`);
    else if (random.chance(0.15)) Reflect.deleteProperty(metadata, name);
    else {
      Object.defineProperty(metadata, name, {
        value: this.#value(3),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
  }

  #headers(): unknown {
    const random = this.#random;
    const headers: unknown[] = [];
    for (let count = random.below(8); count > 0; count--) {
      headers.push(random.pick(NAMES), random.chance(0.95) ? random.pick(TEXTS) : this.#value(1));
    }
    if (random.chance(0.05)) headers.push('odd');
    return headers;
  }

  #numbers(): unknown {
    return Array.from({ length: this.#random.below(5) }, () =>
      this.#random.chance(0.7) ? this.#random.below(600) : this.#random.pick(NUMBERS),
    );
  }

  #list(depth: number): unknown[] {
    return Array.from({ length: this.#random.below(5) }, () => this.#value(depth - 1));
  }

  #value(depth: number): unknown {
    const random = this.#random;
    switch (random.below(depth > 0 ? 8 : 6)) {
      case 0:
        return random.pick(NUMBERS);
      case 1:
        return null;
      case 2:
        return random.chance(0.5);
      case 3:
        return random.pick(NAMES);
      case 4:
      case 5:
        return random.pick(TEXTS);
      case 6:
        return this.#list(depth);
      default:
        return { [random.pick(NAMES)]: this.#value(depth - 1), length: random.pick(NUMBERS) };
    }
  }

  /** JSON, or Brotli, that is one byte off, cut off, or twice there. */
  #scratch(json: Buffer): Buffer {
    const random = this.#random;
    const at = random.below(json.byteLength);
    if (random.chance(0.3)) return json.subarray(0, at);
    if (random.chance(0.1)) return Buffer.concat([json, json]);
    const scratched = Buffer.from(json);
    scratched[at] = random.below(256);
    return scratched;
  }

  #deep(): string {
    const depth = 10 ** this.#random.below(6);
    return this.#random.pick(['['.repeat(depth), '{"a":'.repeat(depth), nest(depth)]);
  }

  #seal(json: Buffer, body: Buffer, version: number): Buffer {
    const random = this.#random;
    const value = Buffer.concat([Buffer.alloc(40), json, body]);
    value.write('NGSR\x03', 0, 'latin1');
    value.writeDoubleBE(random.chance(0.1) ? random.pick(DOUBLES) : version, 16);
    value.writeDoubleBE(random.chance(0.2) ? random.pick(DOUBLES) : 60_000, 24);
    const isOff = random.chance(0.05);
    value.writeUInt32BE(isOff ? random.below(2 ** 32) : json.byteLength, 32);
    value.writeUInt32BE(isOff ? random.below(2 ** 32) : body.byteLength, 36);
    value.write(entityTag(value.subarray(16)).slice(1, -1), 5, 'latin1');
    return value;
  }
}

function nest(depth: number): string {
  return `{"status":200,"headers":${'['.repeat(depth)}${']'.repeat(depth)}}`;
}

/** Numbers of JSON may be larger than any of JavaScript's. */
function toJson(metadata: Record<string, unknown>): string {
  return JSON.stringify(metadata).replaceAll('1e+308', '1e999');
}
