import { check, checkKey, keyOf } from '../../check-option.ts';
import { count, milliseconds } from '../../options/option-values.ts';
import { group, listOf, option, type Option, optional } from '../../options/option.ts';
import { fallbacks } from '../../render/fallbacks.ts';
import {
  canBothMatch,
  compareSpecificity,
  isSegmentPattern,
  matchesPattern,
} from '../../http/path-pattern.ts';
import { readRoutePath, readRoutePrefix, spell } from '../../http/route-path.ts';
import type { BuiltLocales } from '../../files/built-locales.ts';
import type { RouteRuleOptions } from '../options/cache-options.ts';
import { readWrittenPath } from '../key/written-path.ts';

/** A rule whose pattern a path matches. */
export interface MatchingRule {
  /** As it is written in the option. */
  readonly pattern: string;
  readonly rule: RouteRuleOptions;
}

interface CompiledRule {
  readonly pattern: string;
  readonly segments: readonly string[];
  /** The same without the folder of a locale, by which it is ordered among others. */
  readonly route: readonly string[];
  readonly hasFolder: boolean;
  readonly rule: RouteRuleOptions;
  /** That of paths that are not `isPlain`: another name of a route must not make it be rendered. */
  readonly ruleOfOtherNames: RouteRuleOptions;
}

/** A page is never stored under another name than its own. */
const NEVER_STORED: RouteRuleOptions = { cache: false };

/** The rules of `routeRules`, the most specific first, for paths as Angular's router reads them. */
export class RouteRules {
  readonly #rules: readonly CompiledRule[];
  readonly #baseHref: string;
  readonly #locales: BuiltLocales | undefined;

  /**
   * @param baseHref - Of the application: rules and requests may include it or not.
   * @param locales - Of a localized build. Rules name a route in all locales, or with a locale's folder in one.
   * @param features - The names of the server's features. One that has the name of a rule's `freshness` says how long
   * pages are fresh.
   * @throws SsrError `NG_SSR_OPTION_INVALID` naming the pattern and the option.
   */
  constructor(
    rules: Readonly<Record<string, RouteRuleOptions>>,
    baseHref: string,
    locales: BuiltLocales | undefined,
    features: readonly string[],
  ) {
    this.#baseHref = baseHref;
    this.#locales = locales;
    const folders = locales?.folders ?? [];
    const written = new Map<string, string>();
    this.#rules = Object.entries(rules)
      .map(([pattern, given]) => {
        const rule = checkRule(pattern, given, features);
        const segments = parsePattern(pattern, baseHref);
        const twin = written.get(segments.join('/'));
        const allowed = `the only one for its paths; remove it or "${twin}"`;
        checkKey('routeRules', pattern, twin === undefined, allowed);
        written.set(segments.join('/'), pattern);
        const hasFolder = folders.includes(segments[1]!);
        const route = hasFolder ? withoutFolder(segments) : segments;
        const ruleOfOtherNames = { ...NEVER_STORED, ssr: rule.ssr };
        return { pattern, segments, route, hasFolder, rule, ruleOfOtherNames };
      })
      // A private route of all locales counts before a shared subtree of one.
      .sort(
        (a, b) => compareSpecificity(a.route, b.route) || Number(b.hasFolder) - Number(a.hasFolder),
      );
  }

  /**
   * The route a path leads to, and its rule.
   *
   * @param path - Normalised, as `normalisePath` does.
   */
  read(path: string): { readonly routePath: string; readonly rule: RouteRuleOptions | undefined } {
    const { routePath, inLocale, isPlain } = this.#readPath(path);
    const isRuled = this.#rules.length > 0;
    const found = isRuled ? this.#rules.find(matches(routePath, inLocale)) : undefined;
    if (isPlain) return { routePath, rule: found?.rule };
    return { routePath, rule: found?.ruleOfOtherNames ?? NEVER_STORED };
  }

  /**
   * All rules whose patterns a path matches; the first is the one that applies.
   *
   * @param path - As for {@link read}.
   */
  matching(path: string): readonly MatchingRule[] {
    const { routePath, inLocale } = this.#readPath(path);
    const found = this.#rules.filter(matches(routePath, inLocale));
    return found.map(({ pattern, rule }) => ({ pattern, rule }));
  }

  /**
   * The patterns of rules that apply to no page.
   *
   * @param routes - All routes of the application. Nothing is said of a localized one, or one with a base href: their
   * routes can be written in several ways.
   */
  unmatched(routes: readonly string[]): readonly string[] {
    if (this.#baseHref !== '/' || this.#locales !== undefined) return [];
    const known = routes.map((route) => route.split('/').map(toPatternSegment));
    return this.#rules
      .filter(({ segments }) => !known.some((route) => canBothMatch(segments, route)))
      .map(({ pattern }) => pattern);
  }

  /**
   * Whether a path is one of the application. As {@link unmatched} it says nothing (undefined) where routes can be
   * written in several ways; nor of a path that is not the plain name of a route.
   *
   * @param path - As for {@link read}.
   */
  isOfRoutes(path: string, routes: readonly string[]): boolean | undefined {
    if (this.#baseHref !== '/' || this.#locales !== undefined || routes.length === 0)
      return undefined;
    const { routePath, isPlain } = this.#readPath(path);
    if (!isPlain) return undefined;
    const segments = routePath.split('/');
    return routes.some((route) => matchesPattern(route.split('/').map(toPatternSegment), segments));
  }

  #readPath(path: string): {
    readonly routePath: string;
    /** Without the folder of its locale. */
    readonly inLocale: string;
    /** Whether it is the only name of its route. */
    readonly isPlain: boolean;
  } {
    const locale = this.#locales?.ofPath(path);
    const folder = locale === undefined ? '' : `${locale.folder}/`;
    const { path: inLocale, isPlain } = readRoutePath(path, this.#baseHref + folder);
    const routePath = locale === undefined ? inLocale : inFolder(locale.folder, inLocale);
    return { routePath, inLocale, isPlain };
  }

  /**
   * The route paths that a path, as written in a purge, stands for: that of one locale, or with no locale's folder
   * those of all.
   */
  readAll(path: string): readonly string[] {
    const written = readWrittenPath(path);
    const { routePath } = this.read(written);
    if (this.#locales === undefined || this.#locales.ofPath(written) !== undefined) {
      return [routePath];
    }
    return [routePath, ...this.#locales.folders.map((folder) => inFolder(folder, routePath))];
  }

  /** The same for prefixes. */
  readAllPrefixes(prefix: string): readonly string[] {
    const read = this.readPrefix(prefix);
    const { folders = [] } = this.#locales ?? {};
    const isOfOne = folders.some((folder) => `${read}/`.startsWith(`/${folder}/`));
    if (read === '/' || isOfOne) return [read];
    return [read, ...folders.map((folder) => `/${folder}${read}`)];
  }

  /** The prefix of route paths that a prefix, as written in a purge or an inspection, stands for. */
  readPrefix(prefix: string): string {
    return readRoutePrefix(readWrittenPath(prefix), this.#baseHref);
  }
}

/** @param inLocale - The route path without the folder of its locale. */
function matches(routePath: string, inLocale: string): (rule: CompiledRule) => boolean {
  const segments = routePath.split('/');
  const route = inLocale === routePath ? undefined : inLocale.split('/');
  return (candidate) =>
    matchesPattern(candidate.segments, segments) ||
    (route !== undefined && matchesPattern(candidate.segments, route));
}

function inFolder(folder: string, routePath: string): string {
  return routePath === '/' ? `/${folder}` : `/${folder}${routePath}`;
}

/** The segments of `/fr` without the folder are those of `/`. */
function withoutFolder([root, , ...rest]: readonly string[]): readonly string[] {
  return [root!, ...(rest.length === 0 ? [''] : rest)];
}

function parsePattern(pattern: string, baseHref: string): readonly string[] {
  const written = readWrittenPath(pattern);
  const segments = written.split('/');
  const isPattern =
    segments[0] === '' &&
    segments.length > 1 &&
    !/[?#;]/.test(pattern) &&
    isSegmentPattern(segments);
  const allowed =
    'a path that starts with "/"; "*" or ":name" matches one segment, "/**" at the end all below; ' +
    'no query, matrix parameters or regular expression';
  const path = pattern.replace(/^https?:\/\/[^/]*\/?|^\//, '');
  const meant = /^[\w:*]/.test(path) && !pattern.startsWith('/') ? `/${path}` : undefined;
  checkKey('routeRules', pattern, isPattern, allowed, meant);
  const route = written.replace(/\/index\.html$/, '').replace(/(.)\/$/, '$1');
  const base = baseHref.slice(0, -1);
  const below = `${route}/`.startsWith(`${base}/`) ? route.slice(base.length) : route;
  return (below === '' ? '/' : below).split('/').map(toPatternSegment);
}

/** Parentheses are part of the segment: links to the route `/a_(b)` spell it `/a_%28b%29`. */
function toPatternSegment(segment: string): string {
  if (segment.startsWith(':')) return '*';
  return segment.includes('*') ? segment : spell(segment);
}

const seconds = optional(count(0, 'seconds'));

const ssr: Option<RouteRuleOptions['ssr']> = (name, given) => {
  const isAsync = Object.prototype.toString.call(given) === '[object AsyncFunction]';
  const isKnown = given === false || given === 'bots' || (typeof given === 'function' && !isAsync);
  const allowed =
    "false, 'bots', or a synchronous function (request) => boolean; without it, all requests render";
  check(name, isAsync ? 'an async function' : given, isKnown, allowed);
  return given as RouteRuleOptions['ssr'];
};

const routeRule = group<RouteRuleOptions>({
  ssr: optional(ssr),
  cache: optional(
    option<false>((given) => given === false, 'false; without it, sMaxAge or the page decides'),
  ),
  maxAge: seconds,
  sMaxAge: seconds,
  freshness: optional(option<'calls'>((given) => given === 'calls', "'calls'")),
  staleWhileRevalidate: seconds,
  staleIfError: seconds,
  tags: optional(names(/^[^\s,;"\x00-\x1f\x7f]+$/)),
  vary: optional(
    group(
      {
        query: optional(names(/^[^\s,;"\x00-\x1f\x7f]+$/)),
        // Names that browsers send: more than the token of RFC 6265 section 4.1.1, but no separators.
        cookies: optional(names(/^[!#-+\--:<>-~]+$/)),
        // RFC 9110 section 5.1.
        headers: optional(names(/^[\w!#$%&'*+.^`|~-]+$/)),
      },
      "an object of lists, as in { cookies: ['currency'], headers: ['accept-language'] }",
    ),
  ),
  maxWaitMs: optional(milliseconds(1)),
  fallbacks: optional(fallbacks),
});

/** Options that say how long a page is used, of which each needs one that makes its route shared. */
const OF_SHARED = ['maxAge', 'sMaxAge', 'staleWhileRevalidate', 'staleIfError'] as const;

function checkRule(
  pattern: string,
  given: RouteRuleOptions,
  features: readonly string[],
): RouteRuleOptions {
  const path = keyOf('routeRules', pattern);
  const rule: RouteRuleOptions = routeRule(path, given);
  for (const [name, value] of rule.ssr === false ? Object.entries(rule) : []) {
    const isAllowed = name === 'ssr' || value === undefined;
    check(`${path}.${name}`, value, isAllowed, 'nothing beside ssr: false; remove one of the two');
  }
  const { freshness, vary } = rule;
  const isProvided = freshness === undefined || features.includes(freshness);
  const allowed = "'calls' only with withCalls() in features";
  check(`${path}.freshness`, freshness, isProvided, allowed);
  const isShared = rule.sMaxAge !== undefined || rule.freshness !== undefined;
  for (const name of OF_SHARED) {
    const isAllowed = rule[name] === undefined || isShared;
    const example = `{ sMaxAge: 60, ${name}: ${String(rule[name])} }`;
    const allowed = `a number only with sMaxAge or freshness, as in ${example}`;
    check(`${path}.${name}`, rule[name], isAllowed, allowed);
  }
  const isVary = vary === undefined || isShared;
  check(`${path}.vary`, vary, isVary, 'vary only with sMaxAge or freshness');
  const headers = vary?.headers?.map((name) => name.toLowerCase());
  return { ...rule, vary: vary && { ...vary, headers } };
}

function names(form: RegExp): Option<readonly string[]> {
  return listOf(
    (item) => typeof item === 'string' && form.test(item),
    'a list of names without spaces and commas',
  );
}
