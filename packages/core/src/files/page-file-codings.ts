import {
  type Dictionaries,
  isWorthwhile,
  superfluous,
  type WantedCoding,
} from '../answers/dictionaries.ts';
import type { DictionaryForms, Resource } from '../answers/resource.ts';
import { SsrError } from '../errors.ts';
import type { Exchange } from '../exchange.ts';
import type { DictionaryLevels } from '../http/dictionary-coding.ts';
import { encodeWith } from '../http/encode-with-dictionary.ts';
import { HeldResource } from './held-resource.ts';

/** Against a built page a page is coded once, and competes with codings of the highest levels. */
const LEVELS: DictionaryLevels = { dcb: 11, dcz: 19 };
/** Of larger pages a coding of the highest level would take a second. */
const MOST_BYTES_OF_LEVELS = 256 * 1024;
/** Against a page that is rendered it is coded again with each of its versions. */
const QUICK_LEVELS: DictionaryLevels = { dcb: 5, dcz: 9 };

/** The memory of built files, as `BuiltIndex` counts it. */
export interface FileMemory {
  claim(bytes: number): boolean;
  release(bytes: number): void;
}

/**
 * Makes the codings of built pages against the dictionaries that clients have, one at a time on zlib's threads. Until
 * one is made, the page is sent in its other codings.
 */
export class PageFileCodings {
  readonly #dictionaries: Dictionaries;
  readonly #memory: FileMemory;
  readonly #onError: (error: SsrError) => void;
  #last: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(dictionaries: Dictionaries, memory: FileMemory, onError: (error: SsrError) => void) {
    this.#dictionaries = dictionaries;
    this.#memory = memory;
    this.#onError = onError;
  }

  /** Starts the coding for a client whose dictionary is held here, if the page has none yet. */
  want(exchange: Exchange, page: Resource): void {
    if (!(page instanceof HeldResource)) return;
    const wanted = this.#dictionaries.wanted(exchange, page);
    if (wanted === undefined) return;
    page.addWith(wanted.dictionary.name, wanted.coding, null);
    this.#dropOldest(page.withDictionary!);
    this.#last = this.#last.then(() => this.#make(page, wanted));
  }

  /** Drops the codings that are not begun. */
  stop(): void {
    this.#isStopped = true;
  }

  async #make(page: HeldResource, wanted: WantedCoding): Promise<void> {
    if (this.#isStopped) return;
    const { body } = page;
    const { coding, dictionary, isConstant } = wanted;
    const isOnce = isConstant && body.byteLength <= MOST_BYTES_OF_LEVELS;
    const levels = isOnce ? LEVELS : QUICK_LEVELS;
    try {
      const coded = await encodeWith(dictionary, body, coding, levels);
      const others = Object.values(page.coded).map(({ full }) => full.body?.byteLength ?? 0);
      if (!isWorthwhile(coded, body, others) || !this.#memory.claim(coded.byteLength)) return;
      page.addWith(dictionary.name, coding, coded);
    } catch (cause) {
      const message = `${page.path}: the page could not be coded as ${coding}`;
      this.#onError(new SsrError('NG_SSR_CODING_FAILED', message, { cause }));
    }
  }

  #dropOldest(withDictionary: Map<string, DictionaryForms>): void {
    for (const name of superfluous(withDictionary)) {
      for (const form of Object.values(withDictionary.get(name)!)) {
        this.#memory.release(form?.full.body?.byteLength ?? 0);
      }
      withDictionary.delete(name);
    }
  }
}
