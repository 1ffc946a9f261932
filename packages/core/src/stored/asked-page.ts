import { normalisePath } from '../target/normalise-path.ts';
import { pathOf } from '../target/target.ts';
import type { RouteRule } from './cache-options.ts';
import type { RouteRules } from './route-rules.ts';

/** The page a target asks for, in the parts that both key and engine are given. */
export interface AskedPage {
  /** The path, normalised; letter case is kept. */
  readonly path: string;
  /** What Angular's router reads in it: all spellings of one page have one, which purges compare with. */
  readonly routePath: string;
  /** What is left of the query, with `?` in front; empty for none. */
  readonly query: string;
  /** Query parameters that no page sees, joined by `&`; redirects keep them. */
  readonly ignored: string;
  readonly rule: RouteRule | undefined;
  /** Whether a rule says that anybody may have the page: the engine sees what the key covers. */
  readonly isShared: boolean;
}

/** Enough for what is asked for often; past it the memory is emptied, never grown. */
const REMEMBERED_TARGETS = 10_000;
/** Longer targets are read each time, so that the memory stays small. */
const REMEMBERED_LENGTH = 256;

/** Step 2 for stored pages: reads targets, each distinct one once. */
export class TargetReader {
  readonly #rules: RouteRules;
  readonly #isIgnored: (name: string) => boolean;
  readonly #remembered = new Map<string, AskedPage>();

  constructor(rules: RouteRules, ignoredQuery: readonly string[]) {
    this.#rules = rules;
    this.#isIgnored = toNamePredicate(ignoredQuery);
  }

  /** @param target - Well-formed, in origin form. */
  read(target: string): AskedPage {
    let page = this.#remembered.get(target);
    if (page === undefined) {
      page = this.#parse(target);
      if (target.length <= REMEMBERED_LENGTH) {
        if (this.#remembered.size >= REMEMBERED_TARGETS) this.#remembered.clear();
        this.#remembered.set(target, page);
      }
    }
    return page;
  }

  #parse(target: string): AskedPage {
    const received = pathOf(target);
    const path = normalisePath(received);
    const { routePath, rule } = this.#rules.read(path);
    const isShared = rule?.sMaxage !== undefined;
    const kept: string[] = [];
    const ignored: string[] = [];
    for (const parameter of target.slice(received.length + 1).split('&')) {
      if (parameter === '') continue;
      const name = nameOf(parameter);
      const isKept = isShared ? rule.vary?.query?.includes(name) : !this.#isIgnored(name);
      (isKept === true ? kept : ignored).push(parameter);
    }
    // What a rule lists is a set: its order must not make two pages of one.
    if (isShared) kept.sort((a, b) => compare(nameOf(a), nameOf(b)));
    const isWhole = !isShared && ignored.length === 0;
    const query = isWhole
      ? target.slice(received.length)
      : kept.length === 0
        ? ''
        : `?${kept.join('&')}`;
    return { path, routePath, query, ignored: ignored.join('&'), rule, isShared };
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

/** Parameters of one name stay in the order they came in: sorting is stable. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function toNamePredicate(names: readonly string[]): (name: string) => boolean {
  const exact = new Set(names.filter((name) => !name.endsWith('*')));
  const starts = names.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));
  return (name) => exact.has(name) || starts.some((start) => name.startsWith(start));
}
