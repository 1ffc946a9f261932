import { trimOws } from '../../http/optional-whitespace.ts';
import { weightOf } from '../../http/weight.ts';

/** Clients send few distinct values; at this size the memory is emptied. */
const REMEMBERED_VALUES = 256;

/**
 * Matches Accept-Language to an application's languages (RFC 4647 section 3.4, "lookup"): tries the
 * client's ranges, best first, and shortens each from its end until it matches.
 */
export class LanguageMatcher {
  readonly #languages: readonly string[];
  readonly #remembered = new Map<string, string>();

  /** @param languages - The application's languages, at least one; the first is the default. */
  constructor(languages: readonly string[]) {
    this.#languages = languages;
  }

  match(acceptLanguage: string | undefined): string {
    if (acceptLanguage === undefined) return this.#languages[0]!;
    let language = this.#remembered.get(acceptLanguage);
    if (language === undefined) {
      language = this.#lookUp(acceptLanguage);
      if (this.#remembered.size >= REMEMBERED_VALUES) this.#remembered.clear();
      this.#remembered.set(acceptLanguage, language);
    }
    return language;
  }

  #lookUp(acceptLanguage: string): string {
    for (const range of rangesOf(acceptLanguage).wanted) {
      for (let at = range.length; at > 0; at = shorten(range, at)) {
        const prefix = range.slice(0, at);
        const match = this.#languages.find((language) => language.toLowerCase() === prefix);
        if (match !== undefined) return match;
      }
    }
    return this.#languages[0]!;
  }
}

/** Language ranges in lower case, best first, without `*`, which names no language; and those with a weight of 0. */
export function rangesOf(acceptLanguage: string): {
  readonly wanted: readonly string[];
  readonly unwanted: readonly string[];
} {
  const ranges = acceptLanguage
    .toLowerCase()
    .split(',')
    .map((element, at) => {
      const [range = '', ...parameters] = element.split(';');
      return { range: trimOws(range), at, quality: weightOf(parameters) };
    })
    .filter(({ range }) => range !== '' && range !== '*')
    .sort((a, b) => b.quality - a.quality || a.at - b.at);
  const isWanted = ({ quality }: { readonly quality: number }): boolean => quality > 0;
  const wanted = ranges.filter(isWanted).map(({ range }) => range);
  const unwanted = ranges.filter((each) => !isWanted(each)).map(({ range }) => range);
  return { wanted, unwanted };
}

/** The end of the range without its last subtag, and without a single letter before that. */
function shorten(range: string, at: number): number {
  let end = range.lastIndexOf('-', at - 1);
  if (end > 1 && range[end - 2] === '-') end -= 2;
  return end;
}
