import type { BuiltLocale } from '../files/built-locales.ts';
import { LanguageMatcher, rangesOf } from '../pages/key/languages.ts';

/** Finds the locale that a client prefers, of those that a path can name. */
export class LocalePreference {
  readonly #locales: readonly BuiltLocale[];
  readonly #byTag: ReadonlyMap<string, BuiltLocale>;

  constructor(locales: readonly BuiltLocale[]) {
    this.#locales = locales;
    this.#byTag = new Map(locales.map((locale) => [locale.locale.toLowerCase(), locale]));
  }

  /** A locale by its name, in any letter case. */
  named(name: string): BuiltLocale | undefined {
    return this.#byTag.get(name.toLowerCase());
  }

  /**
   * The locale that Accept-Language asks for: for each range, best first, by "lookup" (RFC 4647 section 3.4), and
   * where that finds none the first locale of the range's language, as `en` finds `en-US` in Angular's engine.
   *
   * @returns undefined if it names no language of the build.
   */
  accepted(acceptLanguage: string): BuiltLocale | undefined {
    const { wanted, unwanted } = rangesOf(acceptLanguage);
    const isWanted = ({ locale }: BuiltLocale): boolean => !unwanted.includes(locale.toLowerCase());
    const locales = this.#locales.filter(isWanted);
    const matcher = new LanguageMatcher(['', ...locales.map(({ locale }) => locale)]);
    for (const range of wanted) {
      const match = matcher.match(range) || undefined;
      if (match !== undefined) return this.named(match);
      const [language] = range.split('-', 1);
      const same = locales.find(({ locale }) => locale.toLowerCase().split('-', 1)[0] === language);
      if (same !== undefined) return same;
    }
    return undefined;
  }
}
