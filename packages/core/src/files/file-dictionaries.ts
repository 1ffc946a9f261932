import { type Dictionaries, mayHold } from '../answers/dictionaries.ts';
import { Dictionary } from '../http/dictionary.ts';
import { type HeaderList, valueOf } from '../http/header-list.ts';
import { mayBeKept, useAsDictionary } from '../http/use-as-dictionary.ts';
import { FilesByName } from './files-by-name.ts';
import type { FileDictionaryTerms, HeldResource } from './held-resource.ts';

/** What is known of a build that has dictionaries. */
export interface DictionaryBuild {
  readonly baseHref: string;
  /** The folders of locales below the browser folder, with `/` in front. */
  readonly locales: readonly string[];
  /** Of all files below the browser folder. */
  readonly paths: Iterable<string>;
}

/** Which built files are dictionaries, and for what. */
export class FileDictionaries {
  /** The home page of each locale, by its route path, with its value of Use-As-Dictionary. */
  readonly homePages: ReadonlyMap<string, string>;
  readonly #dictionaries: Dictionaries;
  readonly #baseHref: string;
  readonly #files: FilesByName;

  constructor(dictionaries: Dictionaries, { baseHref, locales, paths }: DictionaryBuild) {
    this.#dictionaries = dictionaries;
    this.#baseHref = baseHref;
    this.#files = new FilesByName(paths);
    this.homePages = homePagesOf(baseHref, locales);
  }

  /** A script or style is the dictionary of its next build; undefined for other files. */
  ofFile(path: string): FileDictionaryTerms | undefined {
    const useAs = this.#files.useAs(path);
    return useAs === undefined ? undefined : { useAs };
  }

  /**
   * A home page is the dictionary of all pages of its locale, another one that of its next version.
   *
   * @param page - Its path, without the base href.
   * @param content - Undefined for a page that is no dictionary.
   * @param headers - Of its answers.
   */
  ofPage(page: string, content: Uint8Array | undefined, headers: HeaderList): FileDictionaryTerms {
    if (content === undefined || !mayHold(content) || !mayBeKept(headers)) {
      return { useAs: undefined };
    }
    const below = page === '/' ? this.#baseHref : this.#baseHref.slice(0, -1) + page;
    return { useAs: this.homePages.get(page) ?? useAsDictionary(encodeURI(below), 'document') };
  }

  /** Makes a home page a dictionary, if its answers say so. */
  hold(page: string, { body, identity, path, withDictionary }: HeldResource): void {
    if (withDictionary === undefined || !this.homePages.has(page)) return;
    if (valueOf(identity.full.headers, 'use-as-dictionary') === undefined) return;
    this.#dictionaries.hold(`file ${path}`, new Dictionary(body));
  }
}

function homePagesOf(baseHref: string, locales: readonly string[]): Map<string, string> {
  const homes = new Map<string, string>();
  for (const home of ['', ...locales]) {
    const value = useAsDictionary(`${baseHref.slice(0, -1)}${encodeURI(home)}/*`, 'document');
    if (value !== undefined) homes.set(home === '' ? '/' : home, value);
  }
  return homes;
}
