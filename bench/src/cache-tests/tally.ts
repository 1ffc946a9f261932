import type { Kind, Results, Suite, Verdict } from './suite.ts';

/** A row: how many tests of a kind a cache passes, fails, or cannot be judged by. */
export interface Tally {
  readonly cache: string;
  readonly required: Counts;
  readonly optimal: Counts;
}

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  /** What the test needs first did not work, or the test was not run. */
  readonly unjudged: number;
}

const FAILED: readonly Verdict[] = ['fail', 'optional_fail', 'harness_fail'];

export function tally(suite: Suite, cache: string, results: Results): Tally {
  const countsOf = (kind: Kind): Counts => {
    const tests = suite.tests.filter((test) => (test.kind ?? 'required') === kind);
    const verdicts = tests.map((test) => suite.verdict(test, results));
    const passed = verdicts.filter((verdict) => verdict === 'pass').length;
    const failed = verdicts.filter((verdict) => FAILED.includes(verdict)).length;
    return { passed, failed, unjudged: verdicts.length - passed - failed };
  };
  return { cache, required: countsOf('required'), optimal: countsOf('optimal') };
}

/** A Markdown table, fewest failures of required tests first. */
export function toTable(tallies: readonly Tally[]): string {
  const rows = tallies
    .toSorted((a, b) => a.required.failed - b.required.failed)
    .map(({ cache, required, optimal }) => [
      cache,
      ...[required.passed, required.failed, required.unjudged],
      ...[optimal.passed, optimal.failed, optimal.unjudged],
    ]);
  const head = ['cache', 'required: passed', 'failed', 'unjudged'];
  const all = [[...head, 'optimal: passed', 'failed', 'unjudged'], ...rows].map((row) =>
    row.map(String),
  );
  const widths = all[0]!.map((_, at) => Math.max(...all.map((row) => row[at]!.length)));
  const lines = all.map((row) => line(row, widths));
  const rule = line(
    widths.map((width, at) => (at === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)),
    widths,
  );
  return [lines[0], rule, ...lines.slice(1)].join('\n');
}

function line(cells: readonly string[], widths: readonly number[]): string {
  const padded = cells.map((cell, at) =>
    at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!),
  );
  return `| ${padded.join(' | ')} |`;
}
