import type { BuiltLocale } from '../../files/built-locales.ts';
import type { Locales } from '../../locales/locales.ts';

/** Proxies read the headers of an answer into a buffer, of 4 KiB by default in nginx. */
const MOST_LENGTH = 3000;
/** Pages that are answered in place of others: no search engine shall know them. */
const ERROR_PAGES = new Set(['/404', '/500', '/503']);

/**
 * The Link headers (RFC 8288) by which prerendered pages name themselves in all languages, for search engines. These
 * take absolute addresses only.
 *
 * @see https://developers.google.com/search/docs/specialty/international/localized-versions
 */
export class Alternates {
  readonly #locales: Locales;
  readonly #originOf: (locale: BuiltLocale) => string;
  readonly #files: ReadonlySet<string>;

  /**
   * @param originOf - The origin of each locale, without a slash at the end.
   * @param files - The paths of all files below the browser folder.
   */
  constructor(locales: Locales, originOf: (of: BuiltLocale) => string, files: Iterable<string>) {
    this.#locales = locales;
    this.#originOf = originOf;
    this.#files = new Set(files);
  }

  /**
   * @param file - The path of a page's file below the browser folder.
   * @returns undefined for a page of one language, and where the header would be too long.
   */
  readonly linksOf = (file: string): string | undefined => {
    const own = this.#localeOf(file);
    if (own === undefined) return undefined;
    const name = own.folder === '' ? file : file.slice(own.folder.length + 1);
    const page = name.slice(0, -'/index.html'.length);
    if (ERROR_PAGES.has(page)) return undefined;
    const has = ({ folder }: BuiltLocale): boolean =>
      this.#files.has(folder === '' ? name : `/${folder}${name}`);
    const { built, fallback } = this.#locales;
    const locales = built.all.filter(has);
    if (locales.length < 2) return undefined;
    const links = locales.map((each) => this.#linkTo(each, page, each.locale));
    if (fallback && has(fallback)) links.push(this.#linkTo(fallback, page, 'x-default'));
    const header = links.join(', ');
    return header.length > MOST_LENGTH ? undefined : header;
  };

  #localeOf(file: string): BuiltLocale | undefined {
    const below = this.#locales.built.all.find(
      ({ folder }) => folder !== '' && file.startsWith(`/${folder}/`),
    );
    return below ?? this.#locales.built.all.find(({ folder }) => folder === '');
  }

  #linkTo(locale: BuiltLocale, page: string, language: string): string {
    const { baseHref } = locale;
    const path = page === '' ? baseHref : `${baseHref.slice(0, -1)}${encodeURI(page)}`;
    return `<${this.#originOf(locale)}${path}>; rel="alternate"; hreflang="${language}"`;
  }
}
