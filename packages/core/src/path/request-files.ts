import type { Resource } from '../answers/resource.ts';
import type { SsrErrorCode } from '../errors.ts';
import type { Answer } from '../exchange.ts';
import type { ParsedRequest } from '../pages/parsed-request.ts';
import type { UnheldFile } from '../files/answer-file.ts';
import type { BuiltLocale } from '../files/built-locales.ts';
import type { BuiltResource } from '../files/built-resource.ts';
import { CsrPages } from '../files/csr-pages.ts';
import type { ErrorPages } from '../files/error-pages.ts';
import type { Locales } from '../locales/locales.ts';

/** The files of a build, by target. */
export interface BuiltFiles {
  readonly baseHref: string;
  /** Whether a document that browsers render into is held. */
  readonly hasCsrPage: boolean;
  find(target: string, site?: string): BuiltResource | undefined;
  findLarge(target: string, site?: string): (UnheldFile & { readonly path: string }) | undefined;
  findOf?(locale: BuiltLocale, path: string): Resource | undefined;
  /** Which targets have the names of files with a hash; undefined where such names are not told from others. */
  readonly hashed?:
    { pathOf(target: string): string | undefined; isAmongThem(path: string): boolean } | undefined;
  /** Equal for equal builds; undefined if it is not known. */
  readonly buildId?: string | undefined;
  /** The paths of prerendered pages that anybody may get, below the base href. */
  pagePaths?(): Iterable<string>;
}

/** The files of a build as requests ask for them: by target, and in a localized build by host too. */
export class RequestFiles {
  /** Whether a held file is the page for paths without one, which is answered with 404 at its own address too. */
  readonly isNotFoundPage: (resource: Resource) => boolean;
  readonly #built: BuiltFiles;
  readonly #locales: Locales | undefined;
  readonly #errorPages: ErrorPages;
  readonly #csrPages: CsrPages;

  /** @param locales - Undefined for a build that is not localized. */
  constructor(built: BuiltFiles, locales: Locales | undefined, errorPages: ErrorPages) {
    this.#built = built;
    this.#locales = locales;
    this.#errorPages = errorPages;
    this.isNotFoundPage = errorPages.isNotFound;
    this.#csrPages = new CsrPages(built);
  }

  /** The held file that a request asks for. */
  find(request: ParsedRequest): Resource | undefined {
    return this.#built.find(request.targetBelowMount, this.#locales?.siteOf(request));
  }

  /** The same for files that are not held. */
  findLarge(request: ParsedRequest): UnheldFile | undefined {
    return this.#built.findLarge(request.targetBelowMount, this.#locales?.siteOf(request));
  }

  /** The path below the browser folder of a target that has the name of a file with a hash; undefined for others. */
  hashedPathOf(request: ParsedRequest): string | undefined {
    const path = this.#built.hashed?.pathOf(request.targetBelowMount);
    return path && (this.#locales?.folderOf(request) ?? '') + path;
  }

  /** Whether a path of {@link hashedPathOf} has a name as the build's scripts and styles have. */
  isNamedAsOurs(path: string): boolean {
    return this.#built.hashed?.isAmongThem(path) === true;
  }

  /** As {@link ErrorPages.answer}, in the locale of a request. */
  errorPage(code: SsrErrorCode, request: ParsedRequest): Answer | undefined {
    return this.#errorPages.answer(code, request.exchange, this.#locales?.of(request));
  }

  /** Whether there is no document that browsers render into. */
  get hasNoCsrPage(): boolean {
    return this.#csrPages.isEmpty;
  }

  /** The document that a browser renders into, in the locale of a request. */
  csrPage(request: ParsedRequest): Resource | undefined {
    return this.#csrPages.of(request.targetBelowMount, this.#locales?.of(request));
  }

  /** In a localized build. */
  localeOf(request: ParsedRequest): string | undefined {
    return this.#locales?.of(request)?.locale;
  }
}
