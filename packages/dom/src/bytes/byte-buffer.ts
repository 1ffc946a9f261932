/** Characters that a text or an attribute value is not written with as they are. */
const SPECIAL = /[&<>"\u0080-\uffff]/;
const LONE_SURROGATE = /\p{Surrogate}/u;
const AMP = 38;
const QUOTE = 34;
const LESS = 60;
const GREATER = 62;
const NBSP = 0xa0;
/** Above this length a search and a copy cost less than a loop over the characters. */
const LONG = 48;
const LARGEST_ENTITY = 6;

const encoder = new TextEncoder();

/** UTF-8 text that grows at its end. */
export class ByteBuffer {
  bytes: Buffer;
  length = 0;
  /**
   * Whether a text had half of a surrogate pair. The other half may be in the next text: one string of both
   * has other bytes.
   */
  hasLoneSurrogate = false;

  constructor(bytes: number = 1 << 18) {
    this.bytes = Buffer.allocUnsafeSlow(bytes);
  }

  clear(): void {
    this.length = 0;
    this.hasLoneSurrogate = false;
  }

  /** Ensures that `count` bytes more have a place. */
  #reserve(count: number): void {
    const needed = this.length + count;
    if (needed <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.bytes.length * 2, needed));
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
  }

  /** Adds one byte. */
  byte(value: number): void {
    this.#reserve(1);
    this.bytes[this.length++] = value;
  }

  /** Adds bytes; those of tags are few, so that a loop costs less than a call of `set`. */
  add(value: Uint8Array): void {
    const count = value.length;
    this.#reserve(count);
    if (count > LONG) {
      this.bytes.set(value, this.length);
      this.length += count;
      return;
    }
    const { bytes } = this;
    let at = this.length;
    for (let i = 0; i < count; i++) bytes[at++] = value[i]!;
    this.length = at;
  }

  /** Adds a text as it is. */
  plain(text: string): void {
    const { length } = text;
    this.#reserve(length * 3);
    const { bytes } = this;
    let at = this.length;
    for (let i = 0; i < length; i++) {
      const code = text.charCodeAt(i);
      if (code > 127) return this.#encode(i === 0 ? text : text.slice(i), at);
      bytes[at++] = code;
    }
    this.length = at;
  }

  #encode(text: string, at: number): void {
    if (LONE_SURROGATE.test(text)) this.hasLoneSurrogate = true;
    this.length = at + encoder.encodeInto(text, this.bytes.subarray(at)).written;
  }

  /**
   * Adds a text in which `&`, `<`, `>` and the no-break space are references, and in an attribute value the
   * quotation mark.
   */
  escaped(text: string, isAttribute: boolean): void {
    const { length } = text;
    this.#reserve(length * LARGEST_ENTITY);
    const { bytes } = this;
    let at = this.length;
    if (length > LONG && !SPECIAL.test(text)) {
      this.length = at + bytes.write(text, at, 'latin1');
      return;
    }
    for (let i = 0; i < length; i++) {
      const code = text.charCodeAt(i);
      if (code === AMP) at = this.#entity('&amp;', at);
      else if (code === LESS) at = this.#entity('&lt;', at);
      else if (code === GREATER) at = this.#entity('&gt;', at);
      else if (code === QUOTE && isAttribute) at = this.#entity('&quot;', at);
      else if (code < 128) bytes[at++] = code;
      else if (code === NBSP) at = this.#entity('&nbsp;', at);
      else if (code < 0x800) {
        bytes[at++] = 0xc0 | (code >> 6);
        bytes[at++] = 0x80 | (code & 63);
      } else if (code < 0xd800 || code > 0xdfff) at = this.#three(code, at);
      else {
        const point = text.codePointAt(i)!;
        if (point > 0xffff) {
          i++;
          bytes[at++] = 0xf0 | (point >> 18);
          bytes[at++] = 0x80 | ((point >> 12) & 63);
          bytes[at++] = 0x80 | ((point >> 6) & 63);
          bytes[at++] = 0x80 | (point & 63);
        } else {
          this.hasLoneSurrogate = true;
          at = this.#three(0xfffd, at);
        }
      }
    }
    this.length = at;
  }

  #entity(reference: string, at: number): number {
    for (let i = 0; i < reference.length; i++) this.bytes[at++] = reference.charCodeAt(i);
    return at;
  }

  #three(code: number, at: number): number {
    this.bytes[at] = 0xe0 | (code >> 12);
    this.bytes[at + 1] = 0x80 | ((code >> 6) & 63);
    this.bytes[at + 2] = 0x80 | (code & 63);
    return at + 3;
  }
}
