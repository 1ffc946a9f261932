import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Hits } from '../server-contract.ts';
import type { Transcript } from './transcript.ts';

/** How a case ended. */
export type Outcome = 'passed' | 'failed' | 'expected failure';

/** One run of the suite: an adapter with one value of `hits`. */
export interface SuiteResult {
  readonly name: string;
  /** The value of `hits`, or `middleware` for the run of `defineMiddlewareSuite`. */
  readonly run: Hits | 'middleware';
  /** By case name; cases that do not apply to the run or the protocol are absent. */
  readonly outcomes: Readonly<Record<string, Outcome>>;
  /** The responses of the cases that are compared between adapters. */
  readonly transcript: Transcript;
  /** The names of the cases that apply to the run, and that a short test run leaves to the reference suites. */
  readonly notRun?: readonly string[];
}

/** The environment variable that names the folder for result files. */
export const RESULTS_FOLDER_VARIABLE = 'NG_SSR_CONFORMANCE_OUT';

/**
 * Writes a run as `<name>.<run>.json`.
 *
 * @param folder - Created when it is missing.
 * @param result - The run.
 */
export async function writeResult(folder: string, result: SuiteResult): Promise<void> {
  await mkdir(folder, { recursive: true });
  const file = `${result.name.replaceAll(/[^\w.-]/g, '-')}.${result.run}.json`;
  await writeFile(join(folder, file), `${JSON.stringify(result, null, 1)}\n`);
}

/**
 * Reads every run that was written into a folder, sorted by file name.
 *
 * @param folder - The folder of {@link writeResult}.
 */
export async function readResults(folder: string): Promise<SuiteResult[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json')).sort();
  return Promise.all(
    files.map(
      async (file) => JSON.parse(await readFile(join(folder, file), 'utf8')) as SuiteResult,
    ),
  );
}

/**
 * How many cases of a run had this outcome.
 *
 * @param result - The run.
 * @param outcome - The outcome to count.
 */
export function countOutcomes(result: SuiteResult, outcome: Outcome): number {
  return Object.values(result.outcomes).filter((each) => each === outcome).length;
}

/**
 * How many cases of a run were executed, such as `776`, or `212 of 776`.
 *
 * @param result - The run.
 */
export function countCases({ outcomes, notRun = [] }: SuiteResult): string {
  const executed = Object.keys(outcomes).length;
  return notRun.length === 0 ? String(executed) : `${executed} of ${executed + notRun.length}`;
}

/**
 * One line about a run, such as `conformance koa/after-middleware: 150 of 152 passed, 2 expected failures`.
 *
 * @param result - The run.
 */
export function formatResult(result: SuiteResult): string {
  const total = Object.keys(result.outcomes).length;
  const parts = [`${countOutcomes(result, 'passed')} of ${total} passed`];
  const expected = countOutcomes(result, 'expected failure');
  const failed = countOutcomes(result, 'failed');
  if (expected) parts.push(`${expected} expected failure${expected === 1 ? '' : 's'}`);
  if (failed) parts.push(`${failed} failed`);
  if (result.notRun?.length) parts.push(`a short run of ${countCases(result)} cases`);
  return `conformance ${result.name}/${result.run}: ${parts.join(', ')}`;
}
