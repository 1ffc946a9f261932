/** A member of a dictionary: its value as it was spelt, or `true` and `false` for booleans. */
export type Spelt = ReadonlyMap<string, string | boolean>;

class Malformed extends Error {}

/**
 * Parses a dictionary by the algorithms of RFC 9651 section 4.2, step by step and character by
 * character. Slow on purpose: what is fast is compared with it.
 *
 * @returns undefined where parsing fails.
 */
export function parseDictionary(value: string): Spelt | undefined {
  try {
    return new DictionaryParser(value).parse();
  } catch (error) {
    if (error instanceof Malformed) return undefined;
    throw error;
  }
}

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const DIGIT = '0123456789';
const ALPHA = LOWER + LOWER.toUpperCase();
const TCHAR = `!#$%&'*+-.^_\`|~${DIGIT}${ALPHA}`;

class DictionaryParser {
  readonly #input: string;
  #at = 0;

  constructor(input: string) {
    this.#input = input;
  }

  /** Section 4.2 and 4.2.2. */
  parse(): Spelt {
    const dictionary = new Map<string, string | boolean>();
    this.#skip(' ');
    while (!this.#isAtEnd) {
      const key = this.#key();
      let member: string | boolean = true;
      if (this.#peek === '=') {
        this.#at++;
        member = this.#spelt(() => this.#itemOrInnerList());
      }
      this.#parameters();
      dictionary.delete(key);
      dictionary.set(key, member === '?1' ? true : member === '?0' ? false : member);
      this.#skip(' \t');
      if (this.#isAtEnd) return dictionary;
      this.#expect(',');
      this.#skip(' \t');
      // A trailing comma.
      if (this.#isAtEnd) throw new Malformed();
    }
    return dictionary;
  }

  /** Section 4.2.3.3. */
  #key(): string {
    return this.#spelt(() => {
      this.#oneOf(`${LOWER}*`);
      while (this.#isOneOf(`${LOWER}${DIGIT}_-.*`)) this.#at++;
    });
  }

  /** Section 4.2.1.1, without the parameters that follow a dictionary's member. */
  #itemOrInnerList(): void {
    if (this.#peek === '(') this.#innerList();
    else this.#bareItem();
  }

  /** Section 4.2.1.2. */
  #innerList(): void {
    this.#expect('(');
    while (!this.#isAtEnd) {
      this.#skip(' ');
      if (this.#peek === ')') {
        this.#at++;
        return;
      }
      this.#bareItem();
      this.#parameters();
      if (this.#peek !== ' ' && this.#peek !== ')') throw new Malformed();
    }
    throw new Malformed();
  }

  /** Section 4.2.3.2. */
  #parameters(): void {
    while (this.#peek === ';') {
      this.#at++;
      this.#skip(' ');
      this.#key();
      if (this.#isOneOf('=')) {
        this.#at++;
        this.#bareItem();
      }
    }
  }

  /** Section 4.2.3.1. */
  #bareItem(): void {
    const first = this.#peek;
    if (first === '-' || this.#isOneOf(DIGIT)) return this.#number();
    if (first === '"') return this.#string();
    if (first === '*' || this.#isOneOf(ALPHA)) return this.#token();
    if (first === ':') return this.#byteSequence();
    if (first === '?') return this.#boolean();
    if (first === '@') return this.#date();
    if (first === '%') return this.#displayString();
    throw new Malformed();
  }

  /** Section 4.2.4. */
  #number(): void {
    if (this.#peek === '-') this.#at++;
    const integer = this.#digits();
    if (this.#peek !== '.') {
      if (integer < 1 || integer > 15) throw new Malformed();
      return;
    }
    if (integer < 1 || integer > 12) throw new Malformed();
    this.#at++;
    const fraction = this.#digits();
    if (fraction < 1 || fraction > 3) throw new Malformed();
  }

  /** Section 4.2.5. */
  #string(): void {
    this.#expect('"');
    for (;;) {
      const character = this.#next();
      if (character === '\\') this.#oneOf('"\\');
      else if (character === '"') return;
      else if (character < ' ' || character > '~') throw new Malformed();
    }
  }

  /** Section 4.2.6. */
  #token(): void {
    this.#oneOf(`${ALPHA}*`);
    while (this.#isOneOf(`${TCHAR}:/`)) this.#at++;
  }

  /** Section 4.2.7. */
  #byteSequence(): void {
    this.#expect(':');
    for (;;) {
      const character = this.#next();
      if (character === ':') return;
      if (!`${ALPHA}${DIGIT}+/=`.includes(character)) throw new Malformed();
    }
  }

  /** Section 4.2.8. */
  #boolean(): void {
    this.#expect('?');
    this.#oneOf('01');
  }

  /** Section 4.2.9. */
  #date(): void {
    this.#expect('@');
    const start = this.#at;
    if (this.#peek !== '-' && !this.#isOneOf(DIGIT)) throw new Malformed();
    this.#number();
    if (this.#input.slice(start, this.#at).includes('.')) throw new Malformed();
  }

  /** Section 4.2.10. */
  #displayString(): void {
    this.#expect('%');
    this.#expect('"');
    const bytes: number[] = [];
    for (;;) {
      const character = this.#next();
      if (character < ' ' || character > '~') throw new Malformed();
      if (character === '"') break;
      if (character === '%') {
        const hex = this.#next() + this.#next();
        if (!/^[\da-f]{2}$/.test(hex)) throw new Malformed();
        bytes.push(Number.parseInt(hex, 16));
      } else bytes.push(character.charCodeAt(0));
    }
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes));
    } catch {
      throw new Malformed();
    }
  }

  #spelt(parse: () => void): string {
    const start = this.#at;
    parse();
    return this.#input.slice(start, this.#at);
  }

  get #isAtEnd(): boolean {
    return this.#at >= this.#input.length;
  }

  get #peek(): string | undefined {
    return this.#input[this.#at];
  }

  #next(): string {
    if (this.#isAtEnd) throw new Malformed();
    return this.#input[this.#at++]!;
  }

  #isOneOf(characters: string): boolean {
    return !this.#isAtEnd && characters.includes(this.#peek!);
  }

  #oneOf(characters: string): void {
    if (!this.#isOneOf(characters)) throw new Malformed();
    this.#at++;
  }

  #expect(character: string): void {
    if (this.#next() !== character) throw new Malformed();
  }

  #skip(characters: string): void {
    while (this.#isOneOf(characters)) this.#at++;
  }

  #digits(): number {
    const start = this.#at;
    while (this.#isOneOf(DIGIT)) this.#at++;
    return this.#at - start;
  }
}
