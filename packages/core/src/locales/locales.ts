import { check } from '../check-option.ts';
import type { HostLocales } from '../engine.ts';
import { type BuiltLocale, BuiltLocales, siteOf } from '../files/built-locales.ts';
import type { AlternateSites } from '../files/alternates.ts';
import { isWellFormed, pathOf } from '../http/target.ts';
import type { ParsedRequest } from '../pages/parsed-request.ts';
import type { LocaleSource, ResolvedLocalesOptions } from './locale-options.ts';

/** The locales of a build, as hosts and paths choose them. */
export class Locales {
  readonly built: BuiltLocales;
  /** Undefined without the option `locales`. */
  readonly options: ResolvedLocalesOptions | undefined;
  /** The locale of paths without one, if no other source says one. */
  readonly fallback: BuiltLocale;
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
  constructor(built: BuiltLocales, options: ResolvedLocalesOptions | undefined) {
    this.options = options;
    const { fallback, hosts = new Map<string, string>() } = options ?? {};
    const names = `a locale of the build: ${built.all.map(({ locale }) => locale).join(', ')}`;
    const isKnown = fallback === undefined || built.named(fallback) !== undefined;
    check('locales.fallback', fallback, isKnown, names);
    for (const [host, locale] of hosts) {
      const name = `locales.hosts[${JSON.stringify(host)}]`;
      const ofHost = built.named(locale);
      check(name, locale, ofHost !== undefined, names);
      const isReached =
        built.ofRoot === undefined || ofHost!.folder === '' || built.isForRoot(ofHost!);
      const allowed =
        'a locale that is built with baseHref: "/", because all paths without a locale are of ' +
        `${built.ofRoot?.locale}`;
      check(name, locale, isReached, allowed);
    }
    const ofHosts = new Set([...hosts.values(), fallback ?? built.all[0]!.locale]);
    this.built = new BuiltLocales(
      built.all.map((each) => ({
        ...each,
        hasHosts: options !== undefined && built.isForRoot(each) && ofHosts.has(each.locale),
      })),
    );
    this.fallback = this.built.named(fallback) ?? this.built.all[0]!;
    for (const [host, locale] of hosts) {
      const ofHost = this.built.named(locale)!;
      if (ofHost.hasHosts) this.#atRoot.set(host, ofHost);
    }
    const isOfOthers = this.fallback.hasHosts && this.built.ofRoot === undefined;
    const { by = ['path'] } = options ?? {};
    this.#isPathFirst = isBefore(by, 'path', 'host');
    this.#others = isOfOthers ? this.fallback : undefined;
  }

  /** What an engine must know to render the pages of these hosts; undefined if paths alone decide. */
  get ofHosts(): HostLocales | undefined {
    if (this.#atRoot.size === 0 && this.#others === undefined) return undefined;
    const hosts = [...this.#atRoot].map(([host, { locale }]) => [host, locale] as const);
    const { baseHref, folders } = this.built;
    const otherPaths = this.#isPathFirst ? folders.map((folder) => baseHref + folder) : [];
    return { hosts: Object.fromEntries(hosts), others: this.#others?.locale, otherPaths };
  }

  /** Undefined without the option `locales.hreflang`. */
  get alternates(): AlternateSites | undefined {
    const { hreflang, hosts } = this.options ?? {};
    if (hreflang === undefined) return undefined;
    const scheme = hreflang.slice(0, hreflang.indexOf('//') + 2);
    const originOf = ({ locale }: BuiltLocale): string => {
      const [host] = [...hosts!].find(([, ofHost]) => ofHost === locale) ?? [];
      return host === undefined ? hreflang : scheme + host;
    };
    return { originOf, fallback: this.fallback };
  }

  /** The locale that a host has at its root, for a path that is not another locale's. */
  atRootOf(hostname: string, path: string): BuiltLocale | undefined {
    const locale = this.#atRoot.get(hostname) ?? this.#others;
    if (locale === undefined || !this.#isPathFirst) return locale;
    return this.built.ofPath(path) === undefined ? locale : undefined;
  }

  /** The name in the index of files of what a request's host has at its root: see {@link siteOf}. */
  siteOf(request: ParsedRequest): string {
    const locale = this.#atRootOfRequest(request);
    return locale === undefined ? '' : siteOf(locale);
  }

  /** The path of the folder that a request's host has at its root; empty for the browser folder. */
  folderOf(request: ParsedRequest): string {
    const locale = this.#atRootOfRequest(request);
    return locale === undefined ? '' : `/${locale.folder}`;
  }

  #atRootOfRequest({ site, target }: ParsedRequest): BuiltLocale | undefined {
    if (this.#atRoot.size === 0 && this.#others === undefined) return undefined;
    return site.verdict === 'malformed' ? undefined : this.atRootOf(site.hostname, pathOf(target));
  }

  /** The locale of a request, for its error pages and its CSR page. */
  of({ site, target }: ParsedRequest): BuiltLocale | undefined {
    const path = isWellFormed(target) ? pathOf(target) : '';
    const isKnown = site.verdict !== 'malformed';
    const atRoot = isKnown ? this.atRootOf(site.hostname, path) : undefined;
    return atRoot ?? this.built.ofPath(path) ?? (this.options && this.fallback);
  }

  /** The base href of the document that a page is rendered into. */
  baseHrefOf({ hostname, pathname }: URL): string {
    const locale = this.atRootOf(hostname, pathname) ?? this.built.ofPath(pathname);
    return locale?.baseHref ?? this.built.baseHref;
  }
}

/** Whether a source is in a list, and another one is not before it. */
function isBefore(by: readonly LocaleSource[], source: LocaleSource, other: LocaleSource): boolean {
  return by.find((each) => each === source || each === other) === source;
}
