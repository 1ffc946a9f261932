import { isWorthwhile, superfluous } from '../../answers/dictionary-forms.ts';
import type { DictionaryForms } from '../../answers/resource.ts';
import { SsrError } from '../../errors.ts';
import type { Exchange } from '../../exchange.ts';
import type { BuiltIndex } from '../../files/built-index.ts';
import { HeldResource } from '../../files/held-resource.ts';
import type { DictionaryLevels } from '../../http/dictionary-encoding.ts';
import type { OwnCore } from '../../path/own-feature.ts';
import type { Dictionaries, WantedEncoding } from './dictionaries.ts';

/** Against a built page a page is encoded once, and competes with encodings of the highest levels. */
const LEVELS: DictionaryLevels = { dcb: 11, dcz: 19 };
/** Of larger pages an encoding of the highest level would take a second. */
const MOST_BYTES_OF_LEVELS = 256 * 1024;

type Core = Pick<OwnCore, 'report' | 'server'>;

/**
 * Makes the encodings of built pages against the dictionaries that clients have, one at a time on zlib's threads. Until
 * one is made, the page is sent in its other encodings.
 */
export class PageFileEncodings {
  readonly #dictionaries: Dictionaries;
  readonly #index: BuiltIndex;
  readonly #core: Core;
  #last: Promise<void> = Promise.resolve();

  /** @param index - Has the memory of built files. */
  constructor(dictionaries: Dictionaries, index: BuiltIndex, core: Core) {
    this.#dictionaries = dictionaries;
    this.#index = index;
    this.#core = core;
  }

  /** Starts the encoding for a client whose dictionary is held here, if the page has none yet. */
  want(exchange: Exchange, page: unknown): void {
    if (!(page instanceof HeldResource)) return;
    const wanted = this.#dictionaries.wanted(exchange, page);
    if (wanted === undefined) return;
    page.addWith(wanted.dictionary, wanted.encoding, null);
    this.#dropOldest(page.withDictionary!);
    this.#last = this.#last.then(() => this.#make(page, wanted));
  }

  async #make(page: HeldResource, wanted: WantedEncoding): Promise<void> {
    if (this.#core.server.closing.aborted) return;
    const { body } = page;
    const { encoding, dictionary, isConstant } = wanted;
    // Against a page that is rendered it is encoded again with each of its versions.
    const isOnce = isConstant && body.byteLength <= MOST_BYTES_OF_LEVELS;
    try {
      const encoded = await wanted.encode(body, isOnce ? LEVELS : undefined);
      const others = Object.values(page.encoded).map(({ full }) => full.body?.byteLength ?? 0);
      if (!isWorthwhile(encoded, body, others) || !this.#index.claim(encoded.byteLength)) return;
      page.addWith(dictionary, encoding, encoded);
    } catch (cause) {
      const message = `${page.path}: the page could not be encoded as ${encoding}`;
      this.#core.report(new SsrError('NG_SSR_ENCODING_FAILED', message, { cause }));
    }
  }

  #dropOldest(withDictionary: Map<string, DictionaryForms>): void {
    for (const name of superfluous(withDictionary)) {
      for (const form of Object.values(withDictionary.get(name)!)) {
        this.#index.release(form?.full.body?.byteLength ?? 0);
      }
      withDictionary.delete(name);
    }
  }
}
