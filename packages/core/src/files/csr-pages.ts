import type { Resource } from '../answers/resource.ts';
import { pathOf } from '../http/target.ts';
import type { BuiltLocale } from './built-locales.ts';

/** The built files, as far as they are documents. */
interface BuiltDocuments {
  readonly baseHref: string;
  /** Whether there is a document to render into. */
  readonly hasCsrPage: boolean;
  find(target: string): Resource | undefined;
  findOf?(locale: BuiltLocale, path: string): Resource | undefined;
}

/** The documents that browsers render into: `index.csr.html`, one for each locale of a localized build. */
export class CsrPages {
  readonly #built: BuiltDocuments;
  readonly #base: string;

  constructor(built: BuiltDocuments) {
    this.#built = built;
    this.#base = built.baseHref.slice(0, -1);
  }

  /** Whether no document is held. */
  get isEmpty(): boolean {
    return !this.#built.hasCsrPage;
  }

  /**
   * The document of a target's locale: of the folder that its first segment below the base href names.
   *
   * @param locale - That of the request, if it is known otherwise.
   */
  of(target: string, locale: BuiltLocale | undefined): Resource | undefined {
    const known = locale && this.#built.findOf?.(locale, '/index.csr.html');
    if (known !== undefined) return known;
    const path = pathOf(target);
    const below = path.startsWith(`${this.#base}/`) ? path.slice(this.#base.length) : path;
    const end = below.indexOf('/', 1);
    const folder = end === -1 ? below : below.slice(0, end);
    const ofLocale = folder === '/' ? undefined : this.#built.find(`${folder}/index.csr.html`);
    return ofLocale ?? this.#built.find('/index.csr.html');
  }
}
