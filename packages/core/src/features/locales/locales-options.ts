import { check, checkKey, isOptionObject, keyOf } from '../../check-option.ts';
import { assertHostPattern } from '../../host/allowed-hosts.ts';
import { parseAuthority } from '../../host/authority.ts';
import { text } from '../../options/option-values.ts';
import { group, listOf, type Option, optional, withDefault } from '../../options/option.ts';

/** Where a request says which locale it wants. */
export type LocaleSource = 'path' | 'host' | 'accept-language' | `cookie:${string}`;

/** Options for builds with several locales. */
export interface LocalesOptions {
  /**
   * What decides the locale, the first that says one: its folder in the path; the host, by {@link hosts}; a cookie
   * with the locale as its value; Accept-Language (RFC 4647 section 3.4). A path without a locale is redirected, with
   * 302, to the same path of the locale that the sources after `path` say; files are not. `path` comes before cookies and
   * Accept-Language. Default: the engine decides, Angular's by the path, with a redirect of the base path by
   * Accept-Language; with {@link hosts} `['path', 'host', 'accept-language']`.
   */
  readonly by?: readonly LocaleSource[] | undefined;
  /**
   * The locale of each host: names as in `allowedHosts`, which must allow them, without `*`. A locale that is built
   * with `baseHref: '/'` has its pages at the root of its hosts, and on no other host; there too a path with another
   * locale's folder is that locale's, unless `host` comes before `path`. Default: none.
   */
  readonly hosts?: Readonly<Record<string, string>> | undefined;
  /**
   * The locale if no source says one, also of the error pages of paths without a locale, and of hosts that
   * {@link hosts} does not name if it is built with `baseHref: '/'`. Default: the first of the build, its source locale.
   */
  readonly fallback?: string | undefined;
  /**
   * The origin of the site, such as `'https://shop.example'`: prerendered pages that exist in several locales get a Link
   * field with `rel="alternate"` and `hreflang` for each, and for `x-default` that of {@link fallback}. A locale with a
   * host of its own has that host, with the scheme of this origin. Default: no such fields.
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
  check(name, given, isOptionObject(given), 'an object of locales by host');
  const resolved = new Map<string, string>();
  for (const [host, locale] of Object.entries(given as Readonly<Record<string, unknown>>)) {
    assertHostPattern(host, name);
    const { hostname, port } = parseAuthority(host) ?? { port: '' };
    const isName = hostname !== undefined && port === '';
    checkKey(name, host, isName, 'whole host names, without ports');
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
  "a list of 'path', 'host', 'cookie:NAME' and 'accept-language', each once, with 'path' before " +
  "cookies and Accept-Language, and 'host' only together with withLocales.hosts";

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
