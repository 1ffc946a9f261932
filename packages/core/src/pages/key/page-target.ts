import { normalisePath } from '../../http/target.ts';
import { toOwnText } from '../../shared-bytes.ts';
import type { RouteRuleOptions } from '../options/cache-options.ts';
import type { RouteRules } from '../policy/route-rules.ts';

/** The page a target asks for, in the parts that make both the key and the engine's URL. */
export interface PageTarget {
  /** The path, normalised; letter case is kept. */
  readonly path: string;
  /** The path as Angular's router reads it: the same for all spellings of a page. Purges compare with it. */
  readonly routePath: string;
  /** The query without the ignored parameters, with a leading `?`; empty for none. */
  readonly query: string;
  /** Query parameters that no page sees, joined by `&`; redirects keep them. */
  readonly ignored: string;
  readonly rule: RouteRuleOptions | undefined;
  /** Whether a rule declares the page shared: the engine then sees only what the key covers. */
  readonly isShared: boolean;
  /** Its key at the origin that was asked last, if no request header is part of it. */
  known?: { readonly origin: string; readonly key: string } | undefined;
}

/** Enough for frequent targets; at this size the memory is emptied. */
const REMEMBERED_TARGETS = 10_000;
/** Longer targets are parsed each time, so that the memory stays small. */
const REMEMBERED_LENGTH = 256;

/** Step 2 for stored pages: parses targets, and remembers the results. */
export class TargetReader {
  readonly #rules: RouteRules;
  readonly #isIgnored: (name: string) => boolean;
  readonly #isStored: boolean;
  readonly #remembered = new Map<string, PageTarget>();

  /** @param ignoredQuery - Undefined if no page is stored: each then sees its whole query. */
  constructor(rules: RouteRules, ignoredQuery: readonly string[] | undefined) {
    this.#rules = rules;
    this.#isIgnored = toNamePredicate(ignoredQuery ?? []);
    this.#isStored = ignoredQuery !== undefined;
  }

  /** @param target - Well-formed, in origin form. */
  read(target: string): PageTarget {
    let page = this.#remembered.get(target);
    if (page === undefined) {
      const isRemembered = target.length <= REMEMBERED_LENGTH;
      const own = isRemembered ? toOwnText(target) : target;
      page = this.#parse(own);
      if (isRemembered) {
        if (this.#remembered.size >= REMEMBERED_TARGETS) this.#remembered.clear();
        this.#remembered.set(own, page);
      }
    }
    return page;
  }

  #parse(target: string): PageTarget {
    const end = target.indexOf('?');
    const received = end === -1 ? target : target.slice(0, end);
    const path = normalisePath(received);
    const { routePath, rule } = this.#rules.read(path);
    const isShared =
      this.#isStored && rule !== undefined && (rule.sMaxAge ?? rule.freshness) !== undefined;
    const kept: string[] = [];
    const ignored: string[] = [];
    for (const parameter of target.slice(received.length + 1).split('&')) {
      if (parameter === '') continue;
      const name = nameOf(parameter);
      const isKept = isShared ? rule.vary?.query?.includes(name) : !this.#isIgnored(name);
      (isKept === true ? kept : ignored).push(parameter);
    }
    // The order of a rule's parameters does not matter: it must not make two keys for one page.
    if (isShared) kept.sort((a, b) => compare(nameOf(a), nameOf(b)));
    const isWhole = !isShared && ignored.length === 0;
    const query = isWhole
      ? target.slice(received.length)
      : kept.length === 0
        ? ''
        : `?${kept.join('&')}`;
    return { path, routePath, query, ignored: ignored.join('&'), rule, isShared, known: undefined };
  }
}

function nameOf(parameter: string): string {
  const equals = parameter.indexOf('=');
  const name = (equals === -1 ? parameter : parameter.slice(0, equals)).replaceAll('+', ' ');
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Sorting is stable: parameters of one name keep their order. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function toNamePredicate(names: readonly string[]): (name: string) => boolean {
  const exact = new Set(names.filter((name) => !name.endsWith('*')));
  const starts = names.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));
  return (name) => exact.has(name) || starts.some((start) => name.startsWith(start));
}
