import type { Answer } from '../../exchange.ts';
import type { BuiltLocale } from '../../files/built-locales.ts';
import type { Said, Substitute } from '../../path/substitute.ts';
import { firstElement } from '../../host/proxy-headers.ts';
import { valueOf } from '../../http/header-list.ts';
import { cookieOf } from '../../pages/key/cache-key.ts';
import type { ParsedRequest } from '../../pages/parsed-request.ts';
import { withoutSecrets } from '../../without-secrets.ts';
import { LocalePreference } from '../../locales/locale-preference.ts';
import type { ChosenLocales } from './chosen-locales.ts';
import type { LocaleSource } from './locales-options.ts';

const EMPTY = Buffer.alloc(0);

/** The same prefixes that Angular's engine takes. */
const PREFIX = /^\/(?:[\w-]+\/)*[\w-]*$/;

/** Redirects paths without a locale to those of the locale that a request prefers. */
export class LocaleRedirects implements Substitute {
  readonly #locales: ChosenLocales;
  readonly #sources: readonly LocaleSource[];
  readonly #preference: LocalePreference;
  readonly #hasPrefix: boolean;

  /** @param hasPrefix - Whether X-Forwarded-Prefix is trusted. */
  constructor(locales: ChosenLocales, sources: readonly LocaleSource[], hasPrefix: boolean) {
    this.#locales = locales;
    this.#sources = sources;
    this.#preference = new LocalePreference(
      locales.built.all.filter((each) => this.#isInPath(each)),
    );
    this.#hasPrefix = hasPrefix;
  }

  /**
   * The redirect of a request, a GET or HEAD with a well-formed target on an allowed host.
   *
   * @returns undefined for a path that has a locale, or is that of a file, and on hosts with a locale at their root.
   */
  answer(request: ParsedRequest): Answer | undefined {
    const { exchange, page, site, target } = request;
    const { built } = this.#locales;
    const { baseHref } = built;
    if (site.verdict !== 'allowed' || exchange.status !== 200) return undefined;
    if (built.ofRoot !== undefined || this.#locales.atRootOf(site.hostname, page.path))
      return undefined;
    const path = target.split('?', 1)[0]!;
    const isBase = path === baseHref.slice(0, -1);
    if (!isBase && !path.startsWith(baseHref)) return undefined;
    if (path.includes('.', path.lastIndexOf('/')) || built.ofPath(page.path) !== undefined) {
      return undefined;
    }
    const vary: string[] = this.#hasPrefix ? ['X-Forwarded-Prefix'] : [];
    const locale = this.#choose(request, site.hostname, vary);
    if (!this.#isInPath(locale)) return undefined;
    const below = path.slice(baseHref.length);
    const own = `${baseHref}${locale.folder}${below === '' ? '' : `/${below}`}`;
    const { ignored } = page;
    // With the parameters that the page does not see.
    const others = ignored === '' ? '' : (page.query === '' ? '?' : '&') + ignored;
    return redirectTo(this.#prefixOf(request) + own + page.query + others, vary);
  }

  says(request: ParsedRequest): Said | undefined {
    const redirect = this.answer(request);
    if (redirect === undefined) return undefined;
    const location = withoutSecrets(valueOf(redirect.headers, 'location') ?? '');
    const reasons = [`withLocales() redirects the path to ${location}.`];
    return { answer: 'server', status: redirect.status, reasons };
  }

  /** @param vary - Gets the headers that the choice has depended on. */
  #choose({ exchange }: ParsedRequest, hostname: string, vary: string[]): BuiltLocale {
    for (const source of this.#sources) {
      let locale: BuiltLocale | undefined;
      if (source === 'host') {
        locale = this.#locales.ofHost(hostname);
      } else if (source === 'accept-language') {
        vary.push('Accept-Language');
        const header = exchange.header('accept-language');
        locale = header === undefined ? undefined : this.#preference.accepted(header);
      } else if (source !== 'path') {
        if (!vary.includes('Cookie')) vary.push('Cookie');
        const value = cookieOf(exchange, source.slice('cookie:'.length));
        locale = value === undefined ? undefined : this.#preference.named(value);
      }
      if (locale !== undefined && this.#isInPath(locale)) return locale;
    }
    return this.#locales.fallback;
  }

  #isInPath(locale: BuiltLocale): boolean {
    return locale.folder !== '' && !this.#locales.built.isForRoot(locale);
  }

  /** What a trusted proxy has taken off the path, without a slash at the end. */
  #prefixOf({ exchange }: ParsedRequest): string {
    const header = this.#hasPrefix ? exchange.header('x-forwarded-prefix') : undefined;
    const prefix = header === undefined ? '' : firstElement(header);
    return prefix !== undefined && PREFIX.test(prefix) ? prefix.replace(/\/$/, '') : '';
  }
}

/** 302 as Angular's engine answers it. No shared cache stores it, so it may depend on cookies. */
function redirectTo(location: string, vary: readonly string[]): Answer {
  const headers = ['Location', location, 'Content-Length', '0'];
  headers.push('Cache-Control', 'private, no-cache', 'Cache-Status', 'ng-ssr; detail=locale');
  if (vary.length > 0) headers.push('Vary', vary.join(', '));
  return { status: 302, headers, body: EMPTY };
}
