/**
 * `npm test`: builds everything and runs every test of the workspace, in one run with one count.
 * Arguments go to vitest: `npm test -- --project core`. `npm run test:slow` runs what `npm test` leaves out:
 * the files `*.slow.spec.ts`.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ensureNode, env, install, root, runOrExit } from './environment.mjs';

install();
await ensureNode();
// Shows what failing builds print, and of others a line each.
runOrExit('nx', ['run-many', '-t', 'build', '--tui=false']);

mkdirSync(join(root, 'tmp'), { recursive: true });
const out = mkdtempSync(join(root, 'tmp', 'test-'));
const conformance = join(out, 'conformance');
mkdirSync(conformance);
const given = process.argv.slice(2);
const isSlow = given[0] === '--slow';
const isQuick = given.length === 0;
const first = run('first', isSlow ? ['.slow.spec.ts', ...given.slice(1)] : given);
const unsteady = unsteadyFiles(first);
const isAlike = await printConformance(conformance);
printSummary(first.report, unsteady);
rmSync(out, { recursive: true, force: true });
process.exitCode = isAlike && (first.status === 0 || unsteady.length > 0) ? 0 : 1;

function run(name, chosen) {
  const file = join(out, `${name}.json`);
  const { status } = spawnSync(
    'vitest',
    [
      'run',
      `--reporter=${join(root, 'tools', 'line-per-file.mjs')}`,
      '--reporter=json',
      `--outputFile.json=${file}`,
      ...chosen,
    ],
    {
      cwd: root,
      stdio: 'inherit',
      shell: process.platform === 'win32',
      env: env({
        NG_SSR_CONFORMANCE_OUT: conformance,
        // Hundreds of processes load the same files: what Node has compiled for one serves the others.
        NODE_COMPILE_CACHE: join(out, 'compiled'),
        ...(isQuick && { NG_SSR_WITHOUT_SLOW: '1' }),
      }),
    },
  );
  return { status: status ?? 1, report: JSON.parse(readFileSync(file, 'utf8')) };
}

/**
 * With CI set, runs the files that failed once more, alone, and returns them if all of them pass: tests that
 * other work on the machine made fail. They are named at the end, each is a defect of its own. Many failed
 * files, or a run that failed in no file, have another cause.
 */
function unsteadyFiles({ status, report }) {
  const failed = report.testResults.filter((file) => file.status === 'failed');
  if (!process.env.CI || status === 0 || failed.length === 0 || failed.length > 2) return [];
  const files = failed.map(({ name }) => name);
  console.log(`\nOnce more, alone: ${files.map((file) => relative(root, file)).join(', ')}\n`);
  return run('again', files).status === 0 ? files : [];
}

/** Adapter x run x cases passed, and whether every adapter answers as the node adapter does. */
async function printConformance(folder) {
  const { compareResults, formatParityReport, readResults } =
    await import('@ng-ssr/conformance/results');
  const results = await readResults(folder);
  const { text, isAlike } = formatParityReport(compareResults(results));
  if (results.length > 0) console.log(`\n${text}\n`);
  return isAlike;
}

function printSummary({ numPassedTests, numFailedTests, numPendingTests, numTodoTests }, unsteady) {
  for (const file of unsteady) {
    console.log(`Unsteady: ${relative(root, file)} failed, and passed when it ran alone.`);
  }
  const again = unsteady.length > 0 ? numFailedTests : 0;
  const passed =
    again > 0
      ? `${numPassedTests + again} passed (${again} at the second run)`
      : `${numPassedTests} passed`;
  const skipped = numPendingTests + numTodoTests;
  console.log(`${passed}, ${numFailedTests - again} failed, ${skipped} skipped`);
}
