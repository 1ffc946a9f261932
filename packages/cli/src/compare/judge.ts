import type { ComparedPage } from '../doctor/probe/probe-message.ts';
import { differingWords, withoutWords, wordsOf } from './words.ts';

/** Where two pages begin to differ. */
export interface Difference {
  /** `status`, `content`, or the name of a header. */
  readonly of: string;
  /** In characters of the content, from 0. */
  readonly offset: number;
  /** Line and column of the content, from 1. */
  readonly line: number;
  readonly column: number;
  readonly angular: string;
  readonly fast: string;
}

/** What the comparison of a page has found. */
export type Verdict =
  | { readonly kind: 'same'; readonly status: number }
  | { readonly kind: 'different'; readonly difference: Difference }
  /** Two renders with Angular's own DOM differ. */
  | {
      readonly kind: 'not-comparable';
      /** What is left to compare is the same; undefined if nothing is. */
      readonly isRestSame: boolean;
      readonly difference: Difference;
    }
  /** In either way. */
  | { readonly kind: 'not-rendered'; readonly reason: string };

/** They say when an answer was made, not what it is. */
const TIMES = new Set(['date', 'server-timing', 'age']);
/** How many characters of a page are shown on each side of a difference. */
const SHOWN_BEFORE = 60;
const SHOWN_AFTER = 100;

/**
 * Compares a page that was rendered fast with two that Angular has rendered alone, one before it and one after it: what
 * differs between these two cannot be compared.
 */
export function judge(
  before: ComparedPage | undefined,
  fast: ComparedPage | undefined,
  after: ComparedPage | undefined,
): Verdict {
  if (before === undefined || fast === undefined || after === undefined) {
    return judgeMissing(before, fast);
  }
  if (before.status !== fast.status) {
    const shown = (page: ComparedPage): string => `${page.status} ${summaryOf(page)}`;
    const difference = headDifference('status', shown(before), shown(fast));
    return before.status === after.status
      ? { kind: 'different', difference }
      : { kind: 'not-comparable', isRestSame: false, difference };
  }
  if (before.status >= 500) {
    const said = summaryOf(before);
    return { kind: 'not-rendered', reason: `${before.status}${said && `: ${said}`}` };
  }
  return (
    judgeHeaders(before, fast, after) ??
    judgeContent(before.body, fast.body, after.body, before.status)
  );
}

function judgeMissing(before: ComparedPage | undefined, fast: ComparedPage | undefined): Verdict {
  if ((before === undefined) === (fast === undefined)) {
    return { kind: 'not-rendered', reason: 'no response in time' };
  }
  const shown = (page: ComparedPage | undefined): string =>
    page === undefined ? 'no response in time' : String(page.status);
  return { kind: 'different', difference: headDifference('status', shown(before), shown(fast)) };
}

function judgeHeaders(
  before: ComparedPage,
  fast: ComparedPage,
  after: ComparedPage,
): Verdict | undefined {
  const names = new Set([...Object.keys(before.headers), ...Object.keys(fast.headers)]);
  for (const name of names) {
    const [one, two, three] = [before, fast, after].map(({ headers }) => headers[name] ?? '(none)');
    // A tag and a length are those of the content, which is compared.
    const isOfContent = name === 'etag' || name === 'content-length';
    if (one === two || one !== three || isOfContent || TIMES.has(name)) continue;
    return { kind: 'different', difference: headDifference(name, one!, two!) };
  }
  return undefined;
}

function judgeContent(before: string, fast: string, after: string, status: number): Verdict {
  if (before === fast) return { kind: 'same', status };
  if (before === after) return { kind: 'different', difference: contentDifference(before, fast) };
  if (fast === after) {
    // It is one of the pages that Angular makes.
    return {
      kind: 'not-comparable',
      isRestSame: true,
      difference: contentDifference(before, after),
    };
  }
  const [words, others, fastWords] = [before, after, fast].map(wordsOf) as [
    string[],
    string[],
    string[],
  ];
  const varying = differingWords(words, others);
  if (varying === undefined) {
    return {
      kind: 'not-comparable',
      isRestSame: false,
      difference: contentDifference(before, after),
    };
  }
  const rest = withoutWords(words, varying);
  const isRestSame = fastWords.length === words.length && rest === withoutWords(fastWords, varying);
  if (isRestSame) {
    return { kind: 'not-comparable', isRestSame, difference: contentDifference(before, after) };
  }
  return { kind: 'different', difference: firstOther(words, fastWords, varying) };
}

/** The first place at which pages differ, beside those that cannot be compared. */
function firstOther(words: string[], fast: string[], varying: ReadonlySet<number>): Difference {
  const at = words.findIndex((word, i) => !varying.has(i) && word !== fast[i]);
  const first = at === -1 ? Math.min(words.length, fast.length) : at;
  const lengthOf = (list: string[]): number => list.slice(0, first).join('').length;
  return placeOf(words.join(''), fast.join(''), lengthOf(words), lengthOf(fast));
}

function contentDifference(angular: string, fast: string): Difference {
  let at = 0;
  while (at < angular.length && at < fast.length && angular[at] === fast[at]) at++;
  return placeOf(angular, fast, at, at);
}

function placeOf(angular: string, fast: string, at: number, fastAt: number): Difference {
  const lines = angular.slice(0, at).split('\n');
  const shown = (text: string, from: number): string =>
    text.slice(Math.max(0, from - SHOWN_BEFORE), from + SHOWN_AFTER);
  return {
    of: 'content',
    offset: at,
    line: lines.length,
    column: lines.at(-1)!.length + 1,
    angular: shown(angular, at),
    fast: shown(fast, fastAt),
  };
}

function headDifference(of: string, angular: string, fast: string): Difference {
  return { of, offset: 0, line: 0, column: 0, angular, fast };
}

/** The first line of an answer that says something. */
function summaryOf({ body }: ComparedPage): string {
  const text = body.replace(/<(script|style)[\s\S]*?<\/\1>|<[^>]*>/g, ' ');
  const lines = text.split('\n').map((line) => line.trim());
  const said = lines.find((line) => line !== '' && !/^\d{3}\b|^NG_SSR_\w+$/.test(line));
  return (said ?? '').slice(0, 200);
}
