import type { EncodingWithDictionary } from '../../answers/encoder.ts';
import type { Resource } from '../../answers/resource.ts';
import type { Exchange } from '../../exchange.ts';
import { readAcceptEncoding } from '../../http/accept-encoding.ts';
import { Dictionary } from '../../http/dictionary.ts';
import {
  canBeDictionary,
  type DictionaryEncoding,
  type DictionaryLevels,
} from '../../http/dictionary-encoding.ts';
import { encodeWith } from '../../http/encode-with-dictionary.ts';
import { isReadable } from './negotiate-dictionary.ts';

/** Versions of a page that are held as dictionaries: clients may still have the one before the latest. */
const MOST_VERSIONS = 2;
/** Pages that are dictionaries at a time. A host, a locale and a variant of a page have one each. */
const MOST_PAGES = 12;
/** Bounds the memory of versions whose pages are not held any more. */
const MOST_HELD_BYTES = 512 * 1024;

/** Levels that cost a fraction of a render's CPU time: see bench/findings.md. */
const LEVELS: DictionaryLevels = { dcb: 5, dcz: 9 };

/** A page and the latest of its versions, newest first. */
interface Source {
  readonly versions: readonly Dictionary[];
  /** Undefined for a page that never changes. */
  readonly isHeld: (() => boolean) | undefined;
}

export interface WantedEncoding extends EncodingWithDictionary {
  /** Whether the dictionary is the same as long as this process runs. */
  readonly isConstant: boolean;
  encode(content: Uint8Array, levels?: DictionaryLevels): Promise<Uint8Array>;
}

/** Whether a page's content is fit for {@link Dictionaries.hold}. */
export function mayHold(content: Uint8Array): boolean {
  return content.byteLength <= MOST_HELD_BYTES && canBeDictionary(content);
}

/** The contents that this process can encode pages against: the latest versions of few public pages. */
export class Dictionaries {
  readonly encodings: readonly DictionaryEncoding[];
  readonly #sources = new Map<string, Source>();

  constructor(encodings: readonly DictionaryEncoding[]) {
    this.encodings = encodings;
  }

  /**
   * Makes a page's content a dictionary, beside the version before it.
   *
   * @param page - A name for the page.
   * @param content - For which {@link mayHold} is true.
   * @param isHeld - Whether the page is still held: if not, none of its versions is used any more. Missing for a page
   * that never changes.
   */
  hold(page: string, content: Uint8Array, isHeld?: () => boolean): void {
    const dictionary = new Dictionary(content);
    const earlier = this.#sources.get(page)?.versions ?? [];
    const others = earlier.filter(({ name }) => name !== dictionary.name);
    const versions = [dictionary, ...others].slice(0, MOST_VERSIONS);
    this.#sources.delete(page);
    this.#sources.set(page, { versions, isHeld });
    const [oldest] = this.#sources.keys();
    if (this.#sources.size > MOST_PAGES) this.#sources.delete(oldest!);
  }

  drop(page: string): void {
    this.#sources.delete(page);
  }

  /**
   * The encoding against the client's dictionary that is to be made for a request.
   *
   * @returns undefined if the client has no dictionary that is held here, or the encoding is made, or is not worth it.
   */
  wanted(exchange: Exchange, { withDictionary }: Resource<unknown>): WantedEncoding | undefined {
    if (withDictionary === undefined || exchange.method !== 'GET') return undefined;
    const name = exchange.header('available-dictionary');
    if (name === undefined) return undefined;
    const { dictionaryEncodings } = readAcceptEncoding(exchange.header('accept-encoding'));
    const encoding = dictionaryEncodings.find((each) => this.encodings.includes(each));
    if (!encoding || withDictionary.get(name)?.[encoding] !== undefined) return undefined;
    if (!isReadable(exchange, [])) return undefined;
    for (const [page, { versions, isHeld }] of this.#sources) {
      const dictionary = versions.find((each) => each.name === name);
      if (dictionary === undefined) continue;
      const isConstant = isHeld === undefined;
      const encode: WantedEncoding['encode'] = (content, levels = LEVELS) =>
        encodeWith(dictionary, content, encoding, levels);
      if (isConstant || isHeld()) return { encoding, dictionary: name, isConstant, encode };
      this.#sources.delete(page);
    }
    return undefined;
  }
}
