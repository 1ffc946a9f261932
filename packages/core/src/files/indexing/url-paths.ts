import { type BuiltLocale, siteOf } from '../built-locales.ts';
import { pagePathOf } from './page-files.ts';

/** Under which paths the files of a build are requested. Their own paths are those below the browser folder. */
export class UrlPaths {
  readonly baseHref: string;
  readonly #locales: readonly BuiltLocale[];
  /** The base href without the slash at its end. */
  readonly #base: string;

  /** @param locales - Of a localized build. */
  constructor(baseHref: string, locales: readonly BuiltLocale[] = []) {
    this.baseHref = baseHref;
    this.#base = baseHref.slice(0, -1);
    this.#locales = locales;
  }

  /** All URL paths of a file: with the base href and, for proxies that strip it, without. */
  of(path: string, isPage: boolean): ReadonlySet<string> {
    const atRoot = this.#atRoot(path);
    if (atRoot === undefined) return this.#withBase(path, isPage);
    const paths = [...this.#withBase(atRoot.path, isPage)];
    return new Set(paths.map((each) => atRoot.site + each));
  }

  /** The path of a page, without the base href. */
  pageOf(path: string): string {
    return pagePathOf(this.#atRoot(path)?.path ?? path);
  }

  /** The path of a page as the application names it. */
  below(page: string): string {
    return page === '/' && this.#base !== '' ? this.#base : this.#base + page;
  }

  /** The site of a file that hosts of its locale have at their root, and its path as they see it. */
  #atRoot(path: string): { readonly site: string; readonly path: string } | undefined {
    const locale = this.#locales.find(
      ({ folder, hasHosts }) => hasHosts && path.startsWith(`/${folder}/`),
    );
    return locale && { site: siteOf(locale), path: path.slice(locale.folder.length + 1) };
  }

  #withBase(path: string, isPage: boolean): Set<string> {
    const paths = spellingsOf(path, isPage);
    if (this.#base === '') return paths;
    const below = [...paths].map((each) => this.#base + each);
    if (isPage && pagePathOf(path) === '/') below.push(this.#base);
    return new Set([...below, ...paths]);
  }
}

/** A file's path, canonical and as a URL parser writes it. A page is also found without the name of its file. */
function spellingsOf(path: string, isPage: boolean): Set<string> {
  const page = pagePathOf(path);
  const paths = isPage ? [path, page, ...(page === '/' ? [] : [`${page}/`])] : [path];
  return new Set(paths.flatMap((each) => [canonical(each), parsed(each)]));
}

function canonical(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

function parsed(path: string): string {
  const escaped = path.replaceAll('%', '%25').replaceAll('?', '%3F').replaceAll('#', '%23');
  return new URL(`http://host${escaped}`).pathname;
}
