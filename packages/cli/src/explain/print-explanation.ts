import type { Explanation, InspectedPage } from '@ng-ssr/core';
import { toBytesText, toCountText, toTimeText } from '../terminal/amounts.ts';
import type { Colors } from '../terminal/colors.ts';
import { shownText } from '../terminal/shown-text.ts';
import { wrapped } from '../terminal/wrapped.ts';

type Row = readonly [label: string, texts: readonly string[]];

const LABEL_CELLS = 14;
/** Of a row, and of a text. A URL has 16 KiB at most. */
const MOST_TEXTS = 100;
const MOST_CHARACTERS = 20_000;
const ANSWERS: Readonly<Record<Explanation['answer'], string>> = {
  held: 'a file of the build',
  stored: 'a cached page',
  constant: 'a page without data',
  server: 'the server itself',
  render: 'a render',
  refused: 'an error',
};

/** An explanation for people, in lines of at most this many cells. */
export function printExplanation(
  explanation: Explanation,
  columns: number,
  { bold, dim }: Colors,
): string {
  const rows = rowsOf(explanation).filter(([, texts]) => texts.length > 0);
  const cells = Math.max(20, columns - LABEL_CELLS);
  const lines = rows.flatMap(([label, texts]) => {
    const shown = texts
      .slice(0, MOST_TEXTS)
      .map((text) => shownText(text.slice(0, MOST_CHARACTERS)));
    const left = texts.length - shown.length;
    const more = left > 0 ? [`and ${left} more: --json prints all`] : [];
    const values = [...shown, ...more].flatMap((text) => wrapped(text, cells));
    return values.map((value, at) => dim((at === 0 ? label : '').padEnd(LABEL_CELLS)) + value);
  });
  return `${bold(shownText(explanation.url.slice(0, MOST_CHARACTERS)))}\n\n${lines.join('\n')}\n`;
}

function rowsOf(explanation: Explanation): readonly Row[] {
  const { answer, status, reasons, key, rule, otherRules, locale, storing } = explanation;
  const { fallbacks, page, notStored, representations, calls } = explanation;
  const code = status === undefined ? '' : `, status ${status}`;
  const forms = representations.map(
    ({ encoding, bytes, etag }) =>
      `${encoding}, ${toBytesText(bytes)}${etag === undefined ? '' : `, ${etag}`}`,
  );
  return [
    ['Response', [ANSWERS[answer] + code]],
    ['Why', reasons],
    ['Would cache', answer === 'render' && storing !== undefined ? [storing.reason] : []],
    [
      'Last render',
      notStored === undefined ? [] : [`not cached: ${notStored.reason}, ${ago(notStored.timeMs)}`],
    ],
    ['Page', page === undefined ? [] : [describePage(page)]],
    ['Tags', page === undefined || page.tags.length === 0 ? [] : [page.tags.join(', ')]],
    ['Encodings', forms],
    [
      'Rule',
      rule === undefined ? noRule(answer) : [rule.pattern, ...describeSettings(rule.settings)],
    ],
    ['Other rules', otherRules.map(({ pattern, reason }) => `${pattern}: ${reason}`)],
    ['Key', key === undefined ? [] : key.split('\n')],
    ['Locale', locale === undefined ? [] : [locale]],
    ['If too late', fallbacks.length === 0 ? [] : [fallbacks.join(', then ')]],
    ['Calls', calls.map(describeCall)],
  ];
}

function noRule(answer: Explanation['answer']): readonly string[] {
  return answer === 'render' || answer === 'stored'
    ? ['none: no pattern of routeRules matches']
    : [];
}

function ago(timeMs: number): string {
  return `${toTimeText(Math.max(0, Date.now() - timeMs))} ago`;
}

function describePage({ state, ageSeconds, ttlSeconds, bytes, hits }: InspectedPage): string {
  const ttl = toTimeText(Math.abs(ttlSeconds) * 1000);
  const until = ttlSeconds >= 0 ? `${ttl} to live` : `stale for ${ttl}`;
  const age = toTimeText(ageSeconds * 1000);
  return `${state}, ${age} old, ${until}, ${toCountText(hits)} hits, ${toBytesText(bytes)} in memory`;
}

function describeSettings(settings: unknown): readonly string[] {
  return Object.entries(Object(settings) as Record<string, unknown>)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
}

function describeCall({
  method,
  url,
  rule,
  result,
  durationMs,
}: Explanation['calls'][number]): string {
  const ruled = rule === '' ? 'no rule' : `rule ${rule}`;
  return `${method} ${url}: ${result}, ${toTimeText(durationMs)}, ${ruled}`;
}
