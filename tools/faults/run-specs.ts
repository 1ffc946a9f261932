import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { runProgram } from './run-program.ts';

/** A test that has failed. */
export interface FailedTest {
  /** From the root of the checkout. */
  readonly spec: string;
  readonly test: string;
}

/** What vitest has said. */
export interface SpecsRun {
  readonly failed: readonly FailedTest[];
  readonly passed: number;
  readonly isHung: boolean;
  /** Whether vitest itself has failed: then nothing is known of the tests. */
  readonly isBroken: boolean;
}

/** The part of vitest's JSON report that is read. */
interface Report {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/** Where and how specs are run. */
export interface SpecsPlace {
  readonly scratch: string;
  readonly suite: 'short' | 'all';
  readonly log: string;
}

/** Longer than all tests of a project take. */
const LIMIT_MS = 20 * 60_000;

/** Runs vitest until a test fails. */
export async function runSpecs(
  { scratch, suite, log }: SpecsPlace,
  options: readonly string[],
  { isQuick = false, bail = 1 } = {},
): Promise<SpecsRun> {
  const file = join(scratch, 'tmp', 'faults-report.json');
  rmSync(file, { force: true });
  const env = {
    ...process.env,
    // As in CI: what a test needs and does not find is a failure, and seeds are the same in all runs.
    CI: 'true',
    NG_SSR_TESTS: suite,
    NG_SSR_SLOW: isQuick ? 'none' : 'all',
    // A fault may make a test wait for ever: it need not wait for as long as on a busy machine.
    NG_SSR_TEST_LIMIT_MS: '100000',
    NODE_COMPILE_CACHE: join(scratch, 'tmp', 'compiled'),
    PATH: `${join(scratch, 'node_modules', '.bin')}:${process.env['PATH']}`,
  };
  const code = await runProgram(
    'vitest',
    [
      ...['run', '--passWithNoTests', `--bail=${bail}`],
      ...['--reporter=json', '--reporter=default', `--outputFile.json=${file}`, ...options],
    ],
    { cwd: scratch, env, log, limitMs: LIMIT_MS },
  );
  if (code === undefined) return { failed: [], passed: 0, isHung: true, isBroken: false };
  if (!existsSync(file)) return { failed: [], passed: 0, isHung: false, isBroken: code !== 0 };
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
  const failed = failedTests(report, scratch);
  // Errors outside of tests make vitest fail without a failed test.
  const isBroken = code !== 0 && failed.length === 0;
  return { failed, passed: report.numPassedTests, isHung: false, isBroken };
}

function failedTests({ testResults }: Report, scratch: string): FailedTest[] {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const spec = relative(scratch, name);
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (failed.length > 0) return failed.map(({ fullName }) => ({ spec, test: fullName }));
    // A hook, or the file itself.
    const isFailed = status === 'failed' && message !== '';
    return isFailed ? [{ spec, test: `(the file) ${message.split('\n', 1)[0]}` }] : [];
  });
}
