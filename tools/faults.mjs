/**
 * `npm run faults`: plants the faults of tools/test/faults, one at a time, in a copy of the checkout, and looks whether
 * a test fails.
 *
 *   --only core,koa/lost-vary   these areas and faults
 *   --suite all                 unabridged tests; default: short
 *   --json results.json         writes the results, after each fault
 *   --resume                    leaves out the faults that were detected, as this file says
 *   --projects 1                only the first of a fault's projects; what they miss, the others may detect
 *   --likely                    only the specs near a fault, and its adapter's conformance: a first look
 *   --specs-from results.json   runs the specs that detected the faults there first; default: those of
 *                               tools/test/faults/specs.json, which is brought up to date at the end
 *   --ref 86037fb               the tests and sources of another commit
 *   --checkout folder           those of another checkout, which is built
 *   --e2e                       also faults that only `npm run e2e` can detect
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ensureNode, env, follow, root } from './environment.mjs';

await ensureNode();
const main = join(root, 'tools/faults/plant-faults.ts');
const child = spawn(process.execPath, [main, ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: env(),
});
process.exitCode = await follow(child);
