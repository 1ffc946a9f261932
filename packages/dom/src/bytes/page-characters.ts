/** Characters that a font is for: the first and the last of a range, of the next range, and so on. */
export type CharacterRanges = readonly number[];

const REFERENCE = /&(#x[0-9a-f]+|#\d+|[a-z][a-z0-9]*);/giy;
/** The names of characters that Beasties knows. */
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  gt: '>',
  lt: '<',
  nbsp: '\u00a0',
  quot: '"',
};
const LAST_CHARACTER = 0x10ffff;
const BMP = 0x10000;
/** Characters whose ranges are remembered. */
const MAX_REMEMBERED = 20_000;
/** Attributes whose values a browser may show. */
const SHOWN: ReadonlySet<string> = new Set(['alt', 'label', 'placeholder', 'title', 'value']);

/** Whether an attribute's value counts as text of the page. */
export function isShown(name: string): boolean {
  return SHOWN.has(name);
}

/**
 * In which ranges of characters a page has one, as Beasties finds out for fonts with a `unicode-range`: in its texts, and
 * in the attributes of {@link isShown}.
 */
export class PageCharacters {
  readonly #ranges: readonly CharacterRanges[];
  /** By character below 0x10000: whether the page has it. */
  readonly #seen = new Uint8Array(BMP);
  /** What is marked in `#seen`. */
  readonly #marked: number[] = [];
  readonly #seenBeyond = new Set<number>();
  readonly #covered = new Set<number>();
  #rangesOf = new Map<number, readonly number[]>();

  constructor(ranges: readonly CharacterRanges[]) {
    this.#ranges = ranges;
  }

  /** Forgets a page. */
  clear(): void {
    for (const code of this.#marked) this.#seen[code] = 0;
    this.#marked.length = 0;
    this.#seenBeyond.clear();
    this.#covered.clear();
  }

  /** The indexes of the ranges of which the page has a character. */
  get covered(): ReadonlySet<number> {
    return this.#covered;
  }

  /**
   * Notes a text of the document, which the page has with references in place of `&`, `<` and `>`. Half a surrogate
   * pair is not expected: a page that has one is not written.
   */
  note(text: string): void {
    const seen = this.#seen;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code < 0xd800 || code > 0xdfff) {
        if (seen[code] === 0) this.#mark(code);
      } else this.#markBeyond(text.codePointAt(i++)!);
    }
  }

  /** Notes a text that the page has as it is, such as that of a script: Beasties looks for references in it. */
  noteRaw(text: string): void {
    if (!text.includes('&')) return this.note(text);
    let from = 0;
    for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at)) {
      REFERENCE.lastIndex = at;
      const [whole, name] = REFERENCE.exec(text) ?? [];
      if (whole === undefined || name === undefined) {
        at++;
        continue;
      }
      this.note(text.slice(from, at));
      this.#noteReference(name);
      from = at += whole.length;
    }
    this.note(text.slice(from));
  }

  #noteReference(name: string): void {
    if (!name.startsWith('#')) {
      const character = NAMED[name.toLowerCase()];
      if (character === undefined) return this.#coverAll();
      return this.note(character);
    }
    const isHex = /^#x/i.test(name);
    const code = Number.parseInt(name.slice(isHex ? 2 : 1), isHex ? 16 : 10);
    if (code < BMP) this.#mark(code);
    else if (code <= LAST_CHARACTER) this.#markBeyond(code);
  }

  /** With a character that it does not know Beasties takes all fonts for used. */
  #coverAll(): void {
    for (const index of this.#ranges.keys()) this.#covered.add(index);
  }

  #mark(code: number): void {
    if (this.#seen[code] !== 0) return;
    this.#seen[code] = 1;
    this.#marked.push(code);
    this.#cover(code);
  }

  #markBeyond(code: number): void {
    if (this.#seenBeyond.has(code)) return;
    this.#seenBeyond.add(code);
    this.#cover(code);
  }

  #cover(code: number): void {
    let indexes = this.#rangesOf.get(code);
    if (indexes === undefined) {
      indexes = [...this.#ranges.keys()].filter((index) => isIn(this.#ranges[index]!, code));
      if (this.#rangesOf.size >= MAX_REMEMBERED) this.#rangesOf = new Map();
      this.#rangesOf.set(code, indexes);
    }
    for (const index of indexes) this.#covered.add(index);
  }
}

function isIn(ranges: CharacterRanges, code: number): boolean {
  for (let i = 0; i < ranges.length; i += 2) {
    if (code >= ranges[i]! && code <= ranges[i + 1]!) return true;
  }
  return false;
}
