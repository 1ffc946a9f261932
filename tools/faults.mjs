/**
 * `npm run faults`: plants the faults of tools/test/faults, one at a time, in copies of the checkout, and looks whether
 * a test fails. See "Planted faults" in CONTRIBUTING.md.
 *
 *   --only core,koa/lost-vary   these areas and faults
 *   --suite all                 unabridged tests; default: short
 *   --json results.json         writes the results, after each fault
 *   --resume                    leaves out the faults that were detected, as the file of --json says
 *   --projects 1                only the first of a fault's projects; what they miss, the others may detect
 *   --likely                    only the specs near a fault, and its adapter's conformance: a first look
 *   --specs-from results.json   runs the specs that detected the faults there first; default: those of
 *                               tools/test/faults/specs.json, which is brought up to date at the end
 *   --ref 86037fb               the tests and sources of another commit
 *   --checkout folder           those of another checkout, which is built
 *   --jobs 1                    how many copies of the checkout there are; default: a copy for each core
 *   --e2e                       also faults that only `npm run e2e` can detect
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { ensureNode, env, follow, root } from './environment.mjs';
import { programOptions } from './program-options.ts';

const values = programOptions(import.meta.url, {
  only: { type: 'string' },
  suite: { type: 'string', default: 'short' },
  json: { type: 'string' },
  resume: { type: 'boolean', default: false },
  'specs-from': { type: 'string' },
  ref: { type: 'string' },
  checkout: { type: 'string' },
  projects: { type: 'string' },
  likely: { type: 'boolean', default: false },
  e2e: { type: 'boolean', default: false },
  jobs: { type: 'string', default: String(availableParallelism()) },
});
if (!['short', 'all'].includes(values.suite)) {
  console.error(`--suite is "${values.suite}"; allowed: short, all`);
  process.exit(1);
}
for (const option of ['projects', 'jobs']) {
  if (values[option] !== undefined && !/^[1-9]\d*$/.test(values[option])) {
    console.error(`--${option} is "${values[option]}"; allowed: a whole number from 1`);
    process.exit(1);
  }
}
if (values.resume && values.json === undefined) {
  console.error(
    '--resume continues what --json FILE names: give both, in the first run --json alone',
  );
  process.exit(1);
}

await ensureNode();
const main = join(root, 'tools/faults/plant-faults.ts');
const child = spawn(process.execPath, [main, JSON.stringify(values)], {
  stdio: 'inherit',
  env: env(),
});
process.exitCode = await follow(child);
