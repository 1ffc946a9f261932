import { type HeaderList, valueOf } from '../../http/header-list.ts';
import { hasDirective } from '../../http/cache-control.ts';
import { mayBeKept, useAsDictionary } from '../../http/use-as-dictionary.ts';
import type { Choose, EncodedForms } from '../../answers/resource.ts';
import type { FileForms, FileTrait } from '../../files/file-forms.ts';
import { FilesByName } from '../../files/files-by-name.ts';
import type { BuiltResource } from '../../files/built-resource.ts';
import { type Dictionaries, mayHold } from './dictionaries.ts';

/** Each page may be encoded against each of them. */
const MOST_LANDING_PAGES = 8;
/** For all pages beside a landing page and below: browsers prefer the longer match of a home page. */
const BESIDE = useAsDictionary('*', 'document')!;

/** Which built files are dictionaries, and for what. */
export class FileDictionaries implements FileTrait {
  readonly ofConstantPages: FileForms;
  /** The home page of each locale, by its route path, with its value of Use-As-Dictionary. Undefined in a server thread. */
  homePages: ReadonlyMap<string, string> | undefined;
  /** Built pages that are dictionaries of others, with the value: home pages, and those that a visit may begin at. */
  #landingPages: ReadonlyMap<string, string> = new Map();
  readonly #dictionaries: Dictionaries;
  readonly #choose: Choose<EncodedForms>;
  #baseHref = '/';
  #files = new FilesByName([]);

  constructor(dictionaries: Dictionaries, choose: Choose<EncodedForms>) {
    this.#dictionaries = dictionaries;
    this.#choose = choose;
    this.ofConstantPages = this.#toForms();
  }

  read(baseHref: string, locales: readonly string[], paths: readonly string[]): void {
    this.#baseHref = baseHref;
    this.#files = new FilesByName(paths);
    this.homePages = homePagesOf(baseHref, locales);
    this.#landingPages = landingPagesOf(paths, this.homePages);
  }

  /** A script or style is the dictionary of its next build; undefined for other files. */
  ofFile(path: string): FileForms | undefined {
    const useAs = this.#files.useAs(path);
    return useAs === undefined ? undefined : this.#toForms(useAs);
  }

  /** A page is the dictionary of its next version, a home page that of all, and a landing page for who has none yet. */
  ofPage(page: string, content: Uint8Array | undefined, headers: HeaderList): FileForms {
    const isFit = content !== undefined && mayHold(content) && mayBeKept(headers);
    if (!isFit) return this.#toForms();
    const below = page === '/' ? this.#baseHref : this.#baseHref.slice(0, -1) + page;
    const own = useAsDictionary(encodeURI(below), 'document');
    // What may be behind a login is no part of other pages.
    const isPrivate = hasDirective(valueOf(headers, 'cache-control'), 'private');
    const useAs = (isPrivate ? undefined : this.#landingPages.get(page)) ?? own;
    return this.#toForms(useAs, this.homePages?.has(page) ? useAs : own);
  }

  /** Makes a page the dictionary of others, if its answers say so. */
  held(page: string, { body, identity, path }: BuiltResource): void {
    const useAs = valueOf(identity.full.headers, 'use-as-dictionary');
    if (useAs === undefined || useAs !== this.#landingPages.get(page)) return;
    this.#dictionaries.hold(`file ${path}`, body);
  }

  /** @param useAs - The value of Use-As-Dictionary; undefined for a file that is no dictionary. */
  #toForms(useAs?: string, ofForms = useAs ?? ''): FileForms {
    const header =
      useAs === undefined ? undefined : (['Use-As-Dictionary', useAs, ofForms] as const);
    return { vary: 'Available-Dictionary', header, choose: this.#choose };
  }
}

/** Home pages, and those nearest to the root, of which all processes with a build choose the same. */
function landingPagesOf(paths: readonly string[], homes: ReadonlyMap<string, string>) {
  const others = paths
    .filter((path) => path.endsWith('/index.html'))
    .map((path) => path.split('/').slice(1, -1))
    .sort((a, b) => a.length - b.length || (a.join('/') < b.join('/') ? -1 : 1))
    .map((parts) => `/${parts.join('/')}`)
    .filter((page) => !homes.has(page))
    .slice(0, Math.max(0, MOST_LANDING_PAGES - homes.size));
  return new Map([...others.map((page) => [page, BESIDE] as const), ...homes]);
}

function homePagesOf(baseHref: string, locales: readonly string[]): Map<string, string> {
  const homes = new Map<string, string>();
  for (const home of ['', ...locales]) {
    const value = useAsDictionary(`${baseHref.slice(0, -1)}${encodeURI(home)}/*`, 'document');
    if (value !== undefined) homes.set(home === '' ? '/' : home, value);
  }
  return homes;
}
