/**
 * Builds everything and tests the workspace, in one run with one count. Other arguments go to vitest:
 * `npm test -- --project core`.
 *
 *   npm test            the short run: stress tests at a tenth, and of the conformance suite what depends on an adapter
 *   npm run test:slow   what `npm test` leaves out, the files `*.slow.spec.ts`, in short, too
 *   npm test -- --with-slow   both in one run
 *   npm test -- --ci    what `.ci/run` runs: of the slow ones those that alone detect a planted fault, or have a runtime
 *   npm run test:all    both, unabridged, each time with other seeds, and then all of `npm run e2e`
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureNode, env, install, root, runOrExit } from './environment.mjs';

install();
await ensureNode();
await checkGiven();
// Shows what failing builds print, and of others a line each.
runOrExit('nx', ['run-many', '-t', 'build', '--tui=false']);

mkdirSync(join(root, 'tmp'), { recursive: true });
const out = mkdtempSync(join(root, 'tmp', 'test-'));
const conformance = join(out, 'conformance');
mkdirSync(conformance);
const [first, ...others] = process.argv.slice(2);
const isSlow = first === '--slow';
const isAll = first === '--all';
const isWithSlow = first === '--with-slow';
const isCi = first === '--ci';
const given = isSlow || isAll || isWithSlow || isCi ? others : process.argv.slice(2);
const chosen = isSlow ? ['.slow.spec.ts', ...given] : given;
const counts = join(out, 'counts.json');
const { status } = spawnSync(
  'vitest',
  ['run', `--reporter=${join(root, 'tools', 'line-per-file.mjs')}`, ...chosen],
  {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: env({
      NG_SSR_CONFORMANCE_OUT: conformance,
      NG_SSR_COUNTS: counts,
      // Hundreds of processes load the same files: what Node has compiled for one serves the others.
      NODE_COMPILE_CACHE: join(out, 'compiled'),
      NG_SSR_TESTS: isAll ? 'all' : (process.env.NG_SSR_TESTS ?? 'short'),
      // Specs that are named run, slow or not.
      NG_SSR_SLOW: isCi ? 'ci' : chosen.length === 0 && !isAll && !isWithSlow ? 'none' : 'all',
    }),
  },
);
// Without counts Vitest has said why: a wrong option, or a project that does not exist.
const isAlike = existsSync(counts) && (await printConformance(conformance));
if (existsSync(counts)) {
  const { passed, failed, skipped } = JSON.parse(readFileSync(counts, 'utf8'));
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
}
rmSync(out, { recursive: true, force: true });
process.exitCode = isAlike && status === 0 ? 0 : 1;

/** Refuses before the build what vitest would refuse after it. */
async function checkGiven() {
  const extent = process.env.NG_SSR_TESTS;
  if (extent !== undefined && extent !== 'short' && extent !== 'all') {
    refuse(`NG_SSR_TESTS is "${extent}"; allowed: short, all`);
  }
  const { projectNames } = await import('./faults/project-names.ts');
  const known = projectNames(root);
  const args = process.argv.slice(2);
  const named = args.flatMap((arg, at) =>
    arg === '--project' ? [args[at + 1]] : arg.startsWith('--project=') ? [arg.slice(10)] : [],
  );
  const unknown = named.find((name) => /^[\w-]+$/.test(name ?? '') && !known.includes(name));
  if (unknown !== undefined) {
    refuse(`There is no project ${unknown}. The projects are ${known.sort().join(', ')}`);
  }
}

function refuse(why) {
  console.error(why);
  process.exit(1);
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
