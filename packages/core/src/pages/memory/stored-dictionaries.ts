import type { Dictionaries } from '../../answers/dictionaries.ts';
import type { NonceFiller } from '../../answers/nonce.ts';
import { valueOf } from '../../http/header-list.ts';
import { trimOws } from '../../http/optional-whitespace.ts';
import type { AskedPage } from '../key/asked-page.ts';
import type { StoredPage } from '../store/page-store.ts';
import { type DictionaryTerms, HeldPage } from './held-page.ts';
import type { PageMemory } from './page-memory.ts';

/** Which stored pages are dictionaries, and which are coded against them. */
export class StoredDictionaries {
  readonly #dictionaries: Dictionaries;
  readonly #homePages: ReadonlyMap<string, string>;
  readonly #memory: PageMemory;
  readonly #nonce: NonceFiller | undefined;

  /** @param homePages - The home page of each locale, by its route path, with its value of Use-As-Dictionary. */
  constructor(
    dictionaries: Dictionaries,
    homePages: ReadonlyMap<string, string>,
    memory: PageMemory,
    nonce: NonceFiller | undefined,
  ) {
    this.#dictionaries = dictionaries;
    this.#homePages = homePages;
    this.#memory = memory;
    this.#nonce = nonce;
  }

  /**
   * A page with a nonce differs in each answer, and one that varies by cookies may be for one client: it is no
   * dictionary, and is not coded against one. A client that guesses a dictionary's content learns whether it is held.
   *
   * @returns undefined for such a page.
   */
  termsOf({ query, routePath }: AskedPage, page: StoredPage): DictionaryTerms | undefined {
    if (!isForEverybody(page) || this.#nonce?.isIn(page) === true) return undefined;
    // Anybody can ask for any number of queries.
    return {
      useAs: query === '' ? this.#homePages.get(routePath) : undefined,
      toDictionary: this.#dictionaries.toDictionary,
    };
  }

  /**
   * Holds a stored page as a dictionary, if it is one.
   *
   * @param isSuccessor - Whether an earlier version was held, which clients may have too.
   */
  hold(key: string, { dictionary }: HeldPage, isSuccessor: boolean): void {
    if (!isSuccessor) this.#dictionaries.drop(key);
    if (dictionary === undefined) return;
    this.#dictionaries.hold(key, dictionary, () => this.#memory.get(key) instanceof HeldPage);
  }
}

/** Whether only its language and coding depend on the request. */
function isForEverybody({ headers }: StoredPage): boolean {
  const names = (valueOf(headers, 'vary') ?? '')
    .split(',')
    .map((name) => trimOws(name).toLowerCase());
  return names.every((name) => ['', 'accept-encoding', 'accept-language'].includes(name));
}
