import { SsrError } from '../errors.ts';
import { check } from '../check-option.ts';
import { checkMs, checkRungs } from '../render/render-options.ts';
import type { RouteRule } from './cache-options.ts';
import { readWrittenPath } from './written-path.ts';

interface CompiledRule {
  readonly segments: readonly string[];
  readonly rule: RouteRule;
}

/** The rules of `routeRules`, the most specific first. */
export class RouteRules {
  readonly #rules: readonly CompiledRule[];

  /** @throws SsrError `NG_SSR_OPTION_INVALID` naming the pattern and the field. */
  constructor(rules: Readonly<Record<string, RouteRule>>) {
    this.#rules = Object.entries(rules)
      .map(([pattern, rule]) => ({
        segments: parsePattern(pattern),
        rule: checkRule(pattern, rule),
      }))
      .sort((a, b) => compareSpecificity(a.segments, b.segments));
  }

  /** The rule for a normalised path, or undefined. */
  find(path: string): RouteRule | undefined {
    if (this.#rules.length === 0) return undefined;
    const segments = path.split('/');
    return this.#rules.find((candidate) => matches(candidate.segments, segments))?.rule;
  }
}

function parsePattern(pattern: string): readonly string[] {
  const segments = readWrittenPath(pattern).split('/');
  const isPattern =
    segments[0] === '' &&
    segments.length > 1 &&
    !/[?#]/.test(pattern) &&
    segments.every((segment, i) =>
      segment.includes('*') ? isWildcard(segment, i === segments.length - 1) : true,
    );
  const allowed =
    'a path from "/", with "*" or ":name" for a segment and "/**" at the end, no query';
  check('routeRules', pattern, isPattern, allowed);
  return segments.map((segment) => (segment.startsWith(':') ? '*' : segment));
}

function isWildcard(segment: string, isLast: boolean): boolean {
  return segment === '*' || (segment === '**' && isLast);
}

function matches(pattern: readonly string[], path: readonly string[]): boolean {
  for (let i = 0; i < pattern.length; i++) {
    const segment = pattern[i]!;
    // `/products/**` is `/products` too.
    if (segment === '**') return true;
    if (i >= path.length) return false;
    if (segment !== '*' && segment !== path[i]) return false;
  }
  return pattern.length === path.length;
}

/** Segment by segment: a word before `*`, `*` before the end, and the end before `**`. */
function compareSpecificity(a: readonly string[], b: readonly string[]): number {
  const rank = (segment: string | undefined): number =>
    segment === '**' ? 3 : segment === undefined ? 2 : segment === '*' ? 1 : 0;
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const difference = rank(a[i]) - rank(b[i]);
    if (difference !== 0) return difference;
  }
  return 0;
}

const FIELDS: readonly string[] = [
  'store',
  'maxAge',
  'sMaxage',
  'staleWhileRevalidate',
  'staleIfError',
  'tags',
  'vary',
  'deadlineMs',
  'rungs',
] satisfies readonly (keyof RouteRule)[];

const VARY_FIELDS: readonly string[] = [
  'query',
  'cookies',
  'headers',
] satisfies readonly (keyof NonNullable<RouteRule['vary']>)[];

function checkRule(pattern: string, rule: RouteRule): RouteRule {
  const path = `routeRules[${JSON.stringify(pattern)}]`;
  const name = (field: string): string => `${path}.${field}`;
  check(path, rule, isObject(rule), `an object with ${FIELDS.join(', ')}`);
  for (const field of Object.keys(rule)) {
    if (!FIELDS.includes(field)) {
      throw new SsrError(
        'NG_SSR_OPTION_UNKNOWN',
        `there is no ${name(field)}: a rule has ${FIELDS.join(', ')}`,
      );
    }
  }
  checkVary(name('vary'), rule);
  const { store, tags, vary, deadlineMs, rungs, ...seconds } = rule;
  checkMs(name('deadlineMs'), deadlineMs);
  checkRungs(name('rungs'), rungs);
  check(name('store'), store, store === undefined || store === false, 'false');
  for (const [field, value] of Object.entries(seconds)) {
    const isSeconds = value === undefined || (Number.isSafeInteger(value) && value >= 0);
    check(name(field), value, isSeconds, 'a whole number of seconds, 0 or more');
    const isShared = rule.sMaxage !== undefined || value === undefined;
    check(name(field), value, isShared, 'a number only beside sMaxage');
  }
  checkNames(name('tags'), tags);
  return { ...rule, ...(vary && { vary: { ...vary, headers: vary.headers?.map(lowerCase) } }) };
}

function checkVary(name: string, { vary, sMaxage }: RouteRule): void {
  if (vary === undefined) return;
  const allowed = `an object with ${VARY_FIELDS.join(', ')}`;
  check(name, vary, isObject(vary), allowed);
  for (const field of Object.keys(vary)) {
    if (VARY_FIELDS.includes(field)) continue;
    throw new SsrError('NG_SSR_OPTION_UNKNOWN', `there is no ${name}.${field}: it is ${allowed}`);
  }
  check(name, vary, sMaxage !== undefined, 'given beside sMaxage');
  checkNames(`${name}.query`, vary.query);
  checkNames(`${name}.cookies`, vary.cookies);
  checkNames(`${name}.headers`, vary.headers);
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function checkNames(name: string, list: readonly string[] | undefined): void {
  const isList =
    list === undefined ||
    (Array.isArray(list) && list.every((item) => typeof item === 'string' && NAME.test(item)));
  check(name, list, isList, 'a list of names without spaces and commas');
}

const NAME = /^[^\s,;"]+$/;

function lowerCase(name: string): string {
  return name.toLowerCase();
}
