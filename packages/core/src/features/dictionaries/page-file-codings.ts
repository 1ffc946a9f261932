import { isWorthwhile, superfluous } from '../../answers/dictionary-forms.ts';
import type { DictionaryForms } from '../../answers/resource.ts';
import { SsrError } from '../../errors.ts';
import type { Exchange } from '../../exchange.ts';
import type { BuiltIndex } from '../../files/built-index.ts';
import { HeldResource } from '../../files/held-resource.ts';
import type { DictionaryLevels } from '../../http/dictionary-coding.ts';
import type { OwnCore } from '../../path/own-feature.ts';
import type { Dictionaries, WantedCoding } from './dictionaries.ts';

/** Against a built page a page is coded once, and competes with codings of the highest levels. */
const LEVELS: DictionaryLevels = { dcb: 11, dcz: 19 };
/** Of larger pages a coding of the highest level would take a second. */
const MOST_BYTES_OF_LEVELS = 256 * 1024;

/**
 * Makes the codings of built pages against the dictionaries that clients have, one at a time on zlib's threads. Until
 * one is made, the page is sent in its other codings.
 */
export class PageFileCodings {
  readonly #dictionaries: Dictionaries;
  readonly #index: BuiltIndex;
  readonly #core: Pick<OwnCore, 'report' | 'server'>;
  #last: Promise<void> = Promise.resolve();

  /** @param index - Has the memory of built files. */
  constructor(
    dictionaries: Dictionaries,
    index: BuiltIndex,
    core: Pick<OwnCore, 'report' | 'server'>,
  ) {
    this.#dictionaries = dictionaries;
    this.#index = index;
    this.#core = core;
  }

  /** Starts the coding for a client whose dictionary is held here, if the page has none yet. */
  want(exchange: Exchange, page: unknown): void {
    if (!(page instanceof HeldResource)) return;
    const wanted = this.#dictionaries.wanted(exchange, page);
    if (wanted === undefined) return;
    page.addWith(wanted.dictionary, wanted.coding, null);
    this.#dropOldest(page.withDictionary!);
    this.#last = this.#last.then(() => this.#make(page, wanted));
  }

  async #make(page: HeldResource, wanted: WantedCoding): Promise<void> {
    if (this.#core.server.closing.aborted) return;
    const { body } = page;
    const { coding, dictionary, isConstant } = wanted;
    // Against a page that is rendered it is coded again with each of its versions.
    const isOnce = isConstant && body.byteLength <= MOST_BYTES_OF_LEVELS;
    try {
      const coded = await wanted.encode(body, isOnce ? LEVELS : undefined);
      const others = Object.values(page.coded).map(({ full }) => full.body?.byteLength ?? 0);
      if (!isWorthwhile(coded, body, others) || !this.#index.claim(coded.byteLength)) return;
      page.addWith(dictionary, coding, coded);
    } catch (cause) {
      const message = `${page.path}: the page could not be coded as ${coding}`;
      this.#core.report(new SsrError('NG_SSR_CODING_FAILED', message, { cause }));
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
