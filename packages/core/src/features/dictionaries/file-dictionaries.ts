import { type HeaderList, valueOf } from '../../http/header-list.ts';
import { mayBeKept, useAsDictionary } from '../../http/use-as-dictionary.ts';
import type { Choose, EncodedForms } from '../../answers/resource.ts';
import type { FileForms, FileTrait } from '../../files/file-forms.ts';
import { FilesByName } from '../../files/files-by-name.ts';
import type { BuiltResource } from '../../files/built-resource.ts';
import { type Dictionaries, mayHold } from './dictionaries.ts';

/** Which built files are dictionaries, and for what. */
export class FileDictionaries implements FileTrait {
  readonly ofConstantPages: FileForms;
  /** The home page of each locale, by its route path, with its value of Use-As-Dictionary. Undefined in a server thread. */
  homePages: ReadonlyMap<string, string> | undefined;
  readonly #dictionaries: Dictionaries;
  readonly #choose: Choose<EncodedForms>;
  #baseHref = '/';
  #files = new FilesByName([]);

  constructor(dictionaries: Dictionaries, choose: Choose<EncodedForms>) {
    this.#dictionaries = dictionaries;
    this.#choose = choose;
    this.ofConstantPages = this.#toForms();
  }

  read(baseHref: string, locales: readonly string[], paths: Iterable<string>): void {
    this.#baseHref = baseHref;
    this.#files = new FilesByName(paths);
    this.homePages = homePagesOf(baseHref, locales);
  }

  /** A script or style is the dictionary of its next build; undefined for other files. */
  ofFile(path: string): FileForms | undefined {
    const useAs = this.#files.useAs(path);
    return useAs === undefined ? undefined : this.#toForms(useAs);
  }

  /** A home page is the dictionary of all pages of its locale, another one that of its next version. */
  ofPage(page: string, content: Uint8Array | undefined, headers: HeaderList): FileForms {
    const isFit = content !== undefined && mayHold(content) && mayBeKept(headers);
    if (!isFit) return this.#toForms();
    const below = page === '/' ? this.#baseHref : this.#baseHref.slice(0, -1) + page;
    const useAs = this.homePages?.get(page) ?? useAsDictionary(encodeURI(below), 'document');
    return this.#toForms(useAs);
  }

  /** Makes a home page a dictionary, if its answers say so. */
  held(page: string, { body, identity, path, withDictionary }: BuiltResource): void {
    if (withDictionary === undefined || !this.homePages?.has(page)) return;
    if (valueOf(identity.full.headers, 'use-as-dictionary') === undefined) return;
    this.#dictionaries.hold(`file ${path}`, body);
  }

  /** @param useAs - The value of Use-As-Dictionary; undefined for a file that is no dictionary. */
  #toForms(useAs?: string): FileForms {
    const header = useAs === undefined ? undefined : (['Use-As-Dictionary', useAs] as const);
    return { vary: 'Available-Dictionary', header, choose: this.#choose };
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
