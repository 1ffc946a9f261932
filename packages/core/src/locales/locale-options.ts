import { assertKnownOptions, check, checkKey, isList, isOptionObject } from '../check-option.ts';
import { assertHostPattern } from '../host/allowed-hosts.ts';
import { parseAuthority } from '../host/authority.ts';

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

/** Locales options with every default filled in. */
export interface ResolvedLocalesOptions {
  /** Undefined if the engine decides. */
  readonly by: readonly LocaleSource[] | undefined;
  /** By host name, as hosts of requests are compared. */
  readonly hosts: ReadonlyMap<string, string>;
  readonly fallback: string | undefined;
  /** Without a slash at the end. */
  readonly hreflang: string | undefined;
}

const NAMES: readonly string[] = [
  'by',
  'hosts',
  'fallback',
  'hreflang',
] satisfies readonly (keyof LocalesOptions)[];

/** Names that browsers send: more than the token of RFC 6265 section 4.1.1, but no separators. */
const COOKIE = /^cookie:[!#-+\--:<>-~]+$/;

/** @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN` */
export function resolveLocales(
  options: LocalesOptions | undefined,
): ResolvedLocalesOptions | undefined {
  if (options === undefined) return undefined;
  check('locales', options, isOptionObject(options), 'an object of options');
  assertKnownOptions(options, NAMES, 'locales');
  const { fallback, hreflang } = options;
  const hosts = resolveHosts(options.hosts);
  const byHost: readonly LocaleSource[] = ['path', 'host', 'accept-language'];
  const by = options.by ?? (hosts.size === 0 ? undefined : byHost);
  if (by !== undefined) checkSources(by, hosts.size > 0);
  const isName = fallback === undefined || (typeof fallback === 'string' && fallback !== '');
  check('locales.fallback', fallback, isName, 'a locale of the build');
  return { by, hosts, fallback, hreflang: resolveOrigin(hreflang) };
}

function resolveHosts(hosts: LocalesOptions['hosts'] = {}): ReadonlyMap<string, string> {
  check('locales.hosts', hosts, isOptionObject(hosts), 'an object of locales by host');
  const resolved = new Map<string, string>();
  for (const [host, locale] of Object.entries(hosts)) {
    const name = `locales.hosts[${JSON.stringify(host)}]`;
    assertHostPattern(host, 'locales.hosts');
    const { hostname, port } = parseAuthority(host) ?? { port: '' };
    const isName = hostname !== undefined && port === '';
    checkKey('locales.hosts', host, isName, 'whole host names, without ports');
    check(name, locale, typeof locale === 'string', 'a locale of the build');
    resolved.set(hostname!, locale);
  }
  return resolved;
}

function checkSources(by: readonly LocaleSource[], hasHosts: boolean): void {
  const allowed =
    "a list of 'path', 'host', 'cookie:NAME' and 'accept-language', each once, with 'path' before " +
    "cookies and Accept-Language, and 'host' only together with locales.hosts";
  const areSources = isList(by, isSource) && new Set(by).size === by.length;
  check('locales.by', by, areSources, allowed);
  const asked = by.findIndex((source) => source !== 'path' && source !== 'host');
  const isPathFirst = asked === -1 || by.slice(0, asked).includes('path');
  check('locales.by', by, isPathFirst && by.includes('host') === hasHosts, allowed);
}

function isSource(source: unknown): source is LocaleSource {
  if (typeof source !== 'string') return false;
  return ['path', 'host', 'accept-language'].includes(source) || COOKIE.test(source);
}

function resolveOrigin(origin: string | undefined): string | undefined {
  if (origin === undefined) return undefined;
  const url = typeof origin === 'string' && URL.canParse(origin) ? new URL(origin) : undefined;
  const isOrigin =
    url !== undefined && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  const allowed = 'an origin with its scheme and without a path, such as "https://shop.example"';
  check('locales.hreflang', origin, isOrigin, allowed);
  return url!.origin;
}
