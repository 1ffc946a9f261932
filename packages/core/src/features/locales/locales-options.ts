import { check, checkKey, isOptionObject, keyOf } from '../../check-option.ts';
import { SsrError } from '../../errors.ts';
import { assertHostPattern } from '../../host/allowed-hosts.ts';
import { parseAuthority } from '../../host/authority.ts';
import { text } from '../../options/option-values.ts';
import { group, listOf, type Option, optional, withDefault } from '../../options/option.ts';

/** A source of the locale of a request. */
export type LocaleSource = 'path' | 'host' | 'accept-language' | `cookie:${string}`;

/** Options of `withLocales()`. */
export interface LocalesOptions {
  /**
   * Sources of the locale; the first match wins, `'path'` before cookies and Accept-Language. A path without a locale
   * is redirected. Default: Angular's engine decides; with `hosts` `['path', 'host', 'accept-language']`.
   */
  readonly by?: readonly LocaleSource[] | undefined;
  /** Locale of each host, without `*`. `allowedHosts` must contain the hosts, too. Default: none. */
  readonly hosts?: Readonly<Record<string, string>> | undefined;
  /** Locale if no source has one, for error pages and for `x-default`. Default: the source locale. */
  readonly fallback?: string | undefined;
  /**
   * Origin of the site, such as `'https://shop.example'`, for `hreflang` links in prerendered pages that have several
   * locales. Default: none.
   */
  readonly hreflang?: string | undefined;
}

/** With every default filled in; `by` is undefined if the engine decides, and `hreflang` has no slash at its end. */
export interface ResolvedLocalesOptions extends Omit<Required<LocalesOptions>, 'hosts'> {
  /** By host name, as hosts of requests are compared. */
  readonly hosts: ReadonlyMap<string, string>;
}

/** Names that browsers send: more than the token of RFC 6265 section 4.1.1, but no separators. */
const COOKIE = /^cookie:[!#-+\--:<>-~]+$/;

const hostLocales: Option<ReadonlyMap<string, string>> = (name, given) => {
  check(
    name,
    given,
    isOptionObject(given),
    "an object of locales by host, as in { 'shop.fr': 'fr' }",
  );
  const resolved = new Map<string, string>();
  for (const [host, locale] of Object.entries(given as Readonly<Record<string, unknown>>)) {
    assertHostPattern(host, name);
    const { hostname, port } = parseAuthority(host) ?? { port: '' };
    const isName = hostname !== undefined && port === '';
    checkKey(name, host, isName, 'a host name without port and "*"');
    check(keyOf(name, host), locale, typeof locale === 'string', 'a locale of the build');
    resolved.set(hostname!, locale as string);
  }
  return resolved;
};

const origin: Option<string> = (name, given) => {
  const url = typeof given === 'string' && URL.canParse(given) ? new URL(given) : undefined;
  const isOrigin =
    url !== undefined && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  const allowed = 'an origin with its scheme and without a path, such as "https://shop.example"';
  check(name, given, isOrigin, allowed);
  return url!.origin;
};

const SOURCES =
  "a list of 'path', 'host', 'cookie:NAME' and 'accept-language', each once; 'path' comes before cookies and " +
  "Accept-Language, and withLocales.hosts needs 'host'";

const localesGroup = group<ResolvedLocalesOptions>(
  {
    by: optional(listOf<LocaleSource>(isSource, SOURCES)),
    hosts: withDefault(hostLocales, new Map()),
    fallback: optional(text(/./s, 'a locale of the build')),
    hreflang: optional(origin),
  },
  'an object of options',
);

/** @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN` */
export function resolveLocales(given: LocalesOptions): ResolvedLocalesOptions {
  const checked = localesGroup('withLocales', given);
  const hasHosts = checked.hosts.size > 0;
  const { by = hasHosts ? BY_HOST : undefined } = checked;
  if (by?.includes('host') === true && !hasHosts) {
    const message =
      "withLocales.by contains 'host', but withLocales.hosts is missing: add hosts, as in { 'shop.fr': 'fr' }";
    throw new SsrError('NG_SSR_OPTION_INVALID', message);
  }
  if (by !== undefined) check('withLocales.by', by, areOrdered(by, hasHosts), SOURCES);
  return { ...checked, by };
}

const BY_HOST: readonly LocaleSource[] = ['path', 'host', 'accept-language'];

function areOrdered(by: readonly LocaleSource[], hasHosts: boolean): boolean {
  const asked = by.findIndex((source) => source !== 'path' && source !== 'host');
  const isPathFirst = asked === -1 || by.slice(0, asked).includes('path');
  return new Set(by).size === by.length && isPathFirst && by.includes('host') === hasHosts;
}

function isSource(source: unknown): boolean {
  if (typeof source !== 'string') return false;
  return ['path', 'host', 'accept-language'].includes(source) || COOKIE.test(source);
}
