import { check } from '../../check-option.ts';
import type { HostLocales } from '../../engine.ts';
import { type BuiltLocale, BuiltLocales } from '../../files/built-locales.ts';
import type { FindLinks } from '../../files/indexing/page-routes.ts';
import { Locales } from '../../locales/locales.ts';
import { Alternates } from './alternates.ts';
import type { ResolvedLocalesOptions } from './locales-options.ts';

/** The locales of a build, as hosts choose them too. */
export class ChosenLocales extends Locales {
  override readonly fallback: BuiltLocale;
  override readonly ofHosts: HostLocales | undefined;
  readonly #options: ResolvedLocalesOptions;
  /** Of hosts that have a locale's pages at their root. */
  readonly #atRoot = new Map<string, BuiltLocale>();
  /** That of all other hosts. */
  readonly #others: BuiltLocale | undefined;
  /** Whether a path says its locale on such hosts too. */
  readonly #isPathFirst: boolean;

  /**
   * @throws SsrError `NG_SSR_OPTION_INVALID` for a locale that the build does not have, and for a host whose locale
   * cannot be at its root beside that of all other hosts.
   */
  constructor(built: BuiltLocales, options: ResolvedLocalesOptions) {
    const { fallback, hosts, by = ['path'] } = options;
    const names = `a locale of the build: ${built.all.map(({ locale }) => locale).join(', ')}`;
    const isKnown = fallback === undefined || built.named(fallback) !== undefined;
    check('withLocales.fallback', fallback, isKnown, names);
    for (const [host, locale] of hosts) {
      const name = `withLocales.hosts[${JSON.stringify(host)}]`;
      const ofHost = built.named(locale);
      check(name, locale, ofHost !== undefined, names);
      const isReached =
        built.ofRoot === undefined || ofHost!.folder === '' || built.isForRoot(ofHost!);
      const allowed =
        'a locale that is built with baseHref: "/", because all paths without a locale belong to ' +
        `${built.ofRoot?.locale}`;
      check(name, locale, isReached, allowed);
    }
    const ofHosts = new Set([...hosts.values(), fallback ?? built.all[0]!.locale]);
    const isHosted = (each: BuiltLocale): boolean =>
      built.isForRoot(each) && ofHosts.has(each.locale);
    super(new BuiltLocales(built.all.map((each) => ({ ...each, hasHosts: isHosted(each) }))));
    this.#options = options;
    this.fallback = this.built.named(fallback) ?? this.built.all[0]!;
    for (const [host, locale] of hosts) {
      const ofHost = this.built.named(locale)!;
      if (ofHost.hasHosts) this.#atRoot.set(host, ofHost);
    }
    const isOfOthers = this.fallback.hasHosts && this.built.ofRoot === undefined;
    this.#others = isOfOthers ? this.fallback : undefined;
    this.#isPathFirst = by.find((each) => each === 'path' || each === 'host') === 'path';
    this.ofHosts = this.#toHostLocales();
  }

  #toHostLocales(): HostLocales | undefined {
    if (this.#atRoot.size === 0 && this.#others === undefined) return undefined;
    const hosts = [...this.#atRoot].map(([host, { locale }]) => [host, locale] as const);
    const { baseHref, folders } = this.built;
    const otherPaths = this.#isPathFirst ? folders.map((folder) => baseHref + folder) : [];
    return { hosts: Object.fromEntries(hosts), others: this.#others?.locale, otherPaths };
  }

  override readonly atRootOf = (hostname: string, path: string): BuiltLocale | undefined => {
    const locale = this.#atRoot.get(hostname) ?? this.#others;
    if (locale === undefined || !this.#isPathFirst) return locale;
    return this.built.ofPath(path) === undefined ? locale : undefined;
  };

  ofHost(hostname: string): BuiltLocale | undefined {
    return this.built.named(this.#options.hosts.get(hostname));
  }

  override readonly toLinks = (files: Iterable<string>): FindLinks | undefined => {
    const { hreflang, hosts } = this.#options;
    if (hreflang === undefined) return undefined;
    const scheme = hreflang.slice(0, hreflang.indexOf('//') + 2);
    const originOf = ({ locale }: BuiltLocale): string => {
      const [host] = [...hosts].find(([, ofHost]) => ofHost === locale) ?? [];
      return host === undefined ? hreflang : scheme + host;
    };
    return new Alternates(this, originOf, files).linksOf;
  };
}
