import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { chooseFaults, type Fault, readFaults } from './read-faults.ts';
import { readResults, toTable, whereIn, writeResults, writeSpecs } from './results.ts';
import { runProgram } from './run-program.ts';
import { runSpecs, type SpecsPlace } from './run-specs.ts';
import { makeScratch } from './scratch.ts';
import { compile, type Result, tryFault } from './try-fault.ts';

const root = resolve(import.meta.dirname, '../..');
/** The options of tools/faults.mjs, which has checked them. */
interface Options {
  readonly only?: string;
  readonly suite: 'short' | 'all';
  readonly json?: string;
  readonly resume: boolean;
  readonly 'specs-from'?: string;
  readonly ref?: string;
  readonly checkout?: string;
  readonly projects?: string;
  readonly likely: boolean;
  readonly e2e: boolean;
  readonly jobs: string;
}

const values = JSON.parse(process.argv[2]!) as Options;
const { suite } = values;
const mostProjects = Number(values.projects ?? Number.POSITIVE_INFINITY);

const folder = join(root, 'tmp', 'faults');
const logs = join(folder, 'logs');
const allFaults = readFaults(join(root, 'tools/test/faults'));
const faults = chosenFaults();
/** The spec that detected each fault last. */
const specsFile = join(root, 'tools/test/faults/specs.json');
const earlier = readResults(values['specs-from'] ?? specsFile);
const results = values.resume ? readResults(values.json) : new Map<string, Result>();
const left = faults.filter(({ name }) => {
  const known = results.get(name)?.outcome;
  return known !== 'detected' && known !== 'hung';
});
const copies = Array.from(
  { length: Math.max(1, Math.min(Number(values.jobs), left.length)) },
  (_, at) => join(folder, `checkout-${at + 1}`),
);

rmSync(logs, { recursive: true, force: true });
mkdirSync(logs, { recursive: true });
for (const copy of copies) {
  say(`copying the checkout to ${copy}`);
  makeScratch(resolve(values.checkout ?? root), copy, values.ref);
  mkdirSync(join(copy, 'tmp'), { recursive: true });
  await build(copy);
}
await Promise.all(copies.map(tryWhatIsLeft));
await lookWithoutFaults(copies[0]!);
if (values['specs-from'] === undefined)
  writeSpecs(specsFile, [...earlier.values(), ...results.values()].filter(isThere));
say(copies.length === 1 ? 'removing the copy' : 'removing the copies');
for (const copy of copies) rmSync(copy, { recursive: true, force: true });
const tried = faults.flatMap(({ name }) => results.get(name) ?? []);
console.log(`\n${toTable(tried)}`);
process.exitCode = tried.every(isWell) ? 0 : 1;

function placeOf(scratch: string, log: string): SpecsPlace {
  return { scratch, suite, log: join(logs, `${log.replace('/', '-')}.log`) };
}

function chosenFaults(): Fault[] {
  try {
    return chooseFaults(allFaults, values.only);
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}

/** Another commit is built as a whole; of this one, the builds are copied. */
async function build(scratch: string): Promise<void> {
  const place = placeOf(scratch, 'build');
  if (values.ref !== undefined) {
    say(`building ${values.ref}`);
    const bin = join(scratch, 'node_modules', '.bin');
    const env = { ...process.env, NX_DAEMON: 'false', PATH: `${bin}:${process.env['PATH']}` };
    const options = ['run-many', '-t', 'build', '--tui=false'];
    const limitMs = 20 * 60_000;
    const code = await runProgram('nx', options, { cwd: scratch, env, log: place.log, limitMs });
    if (code !== 0) throw new Error(`the build has failed: ${place.log}`);
  }
  if (!(await compile(place))) throw new Error(`what is there does not compile: ${place.log}`);
}

/** Each copy has one fault at a time. */
async function tryWhatIsLeft(scratch: string): Promise<void> {
  for (let fault = left.shift(); fault !== undefined; fault = left.shift()) {
    await tryAndReport(fault, scratch);
  }
}

async function tryAndReport(fault: Fault, scratch: string): Promise<void> {
  say(`${fault.name}: ${fault.sentence}`);
  const spec = earlier.get(fault.name)?.spec;
  const projects = fault.projects.slice(0, mostProjects);
  const options = { spec, hasE2e: values.e2e, isLikelyOnly: values.likely };
  const result = await tryFault({ ...fault, projects }, placeOf(scratch, fault.name), options);
  results.set(fault.name, result);
  writeResults(values.json, results.values());
  const where = copies.length === 1 ? '' : `${fault.name} `;
  say(`  ${where}${result.outcome} after ${result.seconds} s: ${whereIn(result)}`);
}

/** A test that fails without its fault, too, has detected nothing. */
async function lookWithoutFaults(scratch: string): Promise<void> {
  const found = faults
    .flatMap(({ name }) => results.get(name) ?? [])
    .filter(({ spec, outcome }) => outcome === 'detected' && spec?.endsWith('.spec.ts') === true);
  if (found.length === 0) return;
  const specs = [...new Set(found.map(({ spec }) => spec!))];
  const place = placeOf(scratch, 'without-faults');
  say(`without faults: ${specs.length} specs`);
  if (!(await compile(place))) throw new Error(`what is there does not compile: ${place.log}`);
  const { failed } = await runSpecs(place, specs, { bail: 0 });
  for (const result of found) {
    const isUnsteady = failed.some(
      ({ spec, test }) =>
        spec === result.spec && (test === result.test || test.startsWith('(the file)')),
    );
    if (isUnsteady) results.set(result.name, { ...result, outcome: 'unsteady' });
  }
  writeResults(values.json, results.values());
}

function isWell({ outcome }: Result): boolean {
  return outcome === 'detected' || outcome === 'hung' || outcome === 'not run';
}

/** Whether the fault has not been removed. */
function isThere({ name }: Result): boolean {
  return allFaults.some((fault) => fault.name === name);
}

function say(what: string): void {
  console.log(`[${(performance.now() / 1000).toFixed(0).padStart(5)} s] ${what}`);
}
