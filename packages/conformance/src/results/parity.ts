import { KNOWN_DIFFERENCES, type KnownDifference } from './known-differences.ts';
import { formatTable } from './table.ts';
import { countCases, countOutcomes, type SuiteResult } from './results.ts';
import { compareTranscripts, type ParityDifference, type RecordedResponse } from './transcript.ts';

/** A run, compared with the reference. */
export interface ParityResult {
  readonly result: SuiteResult;
  /** Undefined where there is no reference, or the run has nothing to compare. */
  readonly differences: readonly ParityDifference[] | undefined;
  /** Rows of known differences that no longer apply to the run. */
  readonly outdated: readonly KnownDifference[];
}

/** The report of a whole test run. */
export interface ParityReport {
  /** A table of the runs, and below it every difference that is not known. */
  readonly text: string;
  /** Whether every adapter answers as the reference does, apart from known differences. */
  readonly isAlike: boolean;
}

/** How many differing responses of a run are printed in full. */
const SHOWN_PER_RUN = 10;

/**
 * Compares runs with that of the node adapter with `serveHits: 'after-middleware'`.
 *
 * @param results - As `readResults` returns them; without the reference nothing is compared.
 * @param known - Cases that may differ.
 */
export function compareResults(
  results: readonly SuiteResult[],
  known: readonly KnownDifference[] = KNOWN_DIFFERENCES,
): ParityResult[] {
  const reference = results.find(({ name, run }) => name === 'node' && run === 'after-middleware');
  return results.map((result) => {
    const isComparable = Object.keys(result.transcript).length > 0;
    if (!reference || !isComparable || result === reference) {
      return { result, differences: undefined, outdated: [] };
    }
    const all = compareTranscripts(reference.transcript, result.transcript);
    const rows = known.filter(({ names }) => names.includes(result.name));
    const cases = Object.keys(result.transcript);
    const { notRun = [] } = result;
    return {
      result,
      differences: all.filter((each) => !rows.some((row) => explains(row, each))),
      outdated: rows.filter(
        (row) =>
          row.headers === undefined &&
          cases.some((name) => isOf(row, name)) &&
          // One that was not run may be the one that differs.
          !notRun.some((name) => isOf(row, name)) &&
          !all.some((each) => explains(row, each)),
      ),
    };
  });
}

function isOf({ cases }: KnownDifference, name: string): boolean {
  return cases instanceof RegExp ? cases.test(name) : cases.includes(name);
}

function explains(row: KnownDifference, { case: name, reference, other }: ParityDifference) {
  if (!isOf(row, name)) return false;
  const { headers } = row;
  if (headers === undefined) return true;
  const rest = (response: RecordedResponse | undefined) => [
    response?.status,
    ...(response?.headers.filter((line) => !headers.includes(line.slice(0, line.indexOf(':')))) ??
      []),
  ];
  return JSON.stringify(rest(reference)) === JSON.stringify(rest(other));
}

/**
 * What to print after a test run: adapter x run x cases passed x expected failures x parity
 * differences.
 *
 * @param compared - As {@link compareResults} returns them.
 */
export function formatParityReport(compared: readonly ParityResult[]): ParityReport {
  const table = formatTable([
    ['adapter', 'run', 'cases', 'passed', 'expected failures', 'failed', 'parity differences'],
    ...compared.map(({ result, differences }) => [
      result.name,
      result.run,
      countCases(result),
      String(countOutcomes(result, 'passed')),
      String(countOutcomes(result, 'expected failure')),
      String(countOutcomes(result, 'failed')),
      differences === undefined ? '-' : String(differences.length),
    ]),
  ]);
  const problems = compared.flatMap(({ result, differences = [], outdated }) => {
    const run = `${result.name}/${result.run}`;
    const shown = differences.slice(0, SHOWN_PER_RUN).map((each) => describe(run, each));
    const rest = differences.length - shown.length;
    if (rest > 0) shown.push(`${run} differs from node/after-middleware in ${rest} more responses`);
    return [
      ...shown,
      ...outdated.map(
        (row) => `${run} no longer differs: remove the known difference (${row.reason})`,
      ),
    ];
  });
  return { text: [table, ...problems].join('\n\n'), isAlike: problems.length === 0 };
}

function describe(run: string, { case: name, index, reference, other }: ParityDifference): string {
  const [left, right] = [lines(reference), lines(other)];
  return [
    `${run} differs from node/after-middleware in ${name}, response ${index + 1}:`,
    ...left.filter((line) => !right.includes(line)).map((line) => `  - ${line}`),
    ...right.filter((line) => !left.includes(line)).map((line) => `  + ${line}`),
  ].join('\n');
}

function lines(response: RecordedResponse | undefined): string[] {
  if (response === undefined) return ['no response'];
  return [
    `status ${response.status}`,
    ...response.headers,
    `content of SHA-256 ${response.body.slice(0, 16)}...`,
  ];
}
