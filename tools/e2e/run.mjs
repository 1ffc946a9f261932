/**
 * `npm run e2e`: packs every package, serves the tarballs on the loopback interface, and does with
 * each row of combinations.mjs what a user does: ng new, ng add, ng build, a page. It takes about five minutes on two
 * cores.
 *
 *   --all              every adapter, engine and Angular with every check, ng serve and deployments included, every
 *                      application whole, every prebuilt addon: half an hour
 *   --only koa,nx      these adapters, these applications of applications/ or package managers; `addons`: the
 *                      prebuilt ones; `matrix`: the oldest and the newest Angular of `npm run matrix`, not with --all
 *   --engine app       this engine
 *   --angular 21.2.0   on these versions of Angular, exactly; default: those of angulars.mjs;
 *                      with --all, applications use only the first version
 *   --packages         the packages' checks alone
 *   --built            builds no packages: they have just been built
 *   --update           rewrites the golden list of packed files
 *   --jobs 4           how many workspaces at a time; default: three more than processors
 *   --keep             leaves the temporary folder, and says where it is
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { arch, availableParallelism, platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureNode, env, install, root } from '../environment.mjs';
import { programOptions } from '../program-options.ts';
import { adapters, applications, engines } from './variants.mjs';

/** How many characters of each failure's message are printed again at the end. */
const MESSAGE_END = 1500;

const values = programOptions(import.meta.url, {
  all: { type: 'boolean', default: false },
  only: { type: 'string' },
  engine: { type: 'string' },
  angular: { type: 'string' },
  packages: { type: 'boolean', default: false },
  built: { type: 'boolean', default: false },
  update: { type: 'boolean', default: false },
  jobs: { type: 'string', default: String(availableParallelism() + 3) },
  keep: { type: 'boolean', default: false },
});
const names = choose('--only', values.only, [
  ...Object.keys(adapters),
  ...applications,
  ...['addons', 'matrix'],
]);
const enginesChosen = choose('--engine', values.engine, Object.keys(engines));
const versions = values.angular?.split(',');
if (versions?.every((version) => /^(?:21|22)\.\d+\.\d+/.test(version)) === false) {
  console.error(
    `--angular is "${values.angular}"; allowed: exact versions of 21 and 22, as 22.2.0`,
  );
  process.exit(1);
}

install();
await ensureNode();

const { buildAddons } = await import('./addons/build-addons.mjs');
const { createLimit } = await import('./limit.mjs');
const { describeTime } = await import('./time-spent.mjs');
const { run, stopAll } = await import('./child-process.mjs');
const { checkPackages } = await import('./package-checks.mjs');
const { packAll } = await import('./pack.mjs');
const { checkAddons } = await import('./addons/check-addons.mjs');
const { startRegistry } = await import('./registry.mjs');
const { angularOf, ANGULARS } = await import('./angulars.mjs');
const { createStarts } = await import('./workspace.mjs');
const { allCombinations, combinations, isChosen } = await import('./combinations.mjs');
const { checkCombination } = await import('./combination-checks.mjs');
const { createTools } = await import('./package-managers/index.mjs');
const { checkAsUsersDo } = await import('./user-checks.mjs');
const { targets } = await import('../../native/tools/targets.mjs');
const { checkVersion } = await import('../matrix/check-version.mjs');
const { QUICK } = await import('../matrix/versions.mjs');

const angulars = (versions ?? ANGULARS).map(angularOf);
const chosen = {
  names,
  engines: enginesChosen,
  majors: angulars.map(({ major }) => major),
};
const rows = (values.all ? allCombinations(angulars) : combinations).filter((row) =>
  isChosen(row, chosen),
);
/** The galleries of the matrix. */
const galleries =
  values.all || !names.includes('matrix')
    ? []
    : QUICK.filter(({ version }) => versions?.includes(version) ?? true).map((each) => ({
        ...each,
        variants: each.variants.filter(({ engine }) => enginesChosen.includes(engine)),
      }));
if (rows.length === 0 && galleries.length === 0 && !names.includes('addons')) {
  console.error('No row of tools/e2e/combinations.mjs is this: --all has every combination');
  process.exit(1);
}
/** Other processors' addons, and those for musl, change with their sources alone, and take emulators. */
const addons =
  values.all || values.packages || values.only?.split(',').includes('addons')
    ? Object.keys(targets)
    : [`${platform()}-${arch()}`].filter((name) => name in targets);

/** One row for each thing that was checked. */
const results = [];
const startedAt = performance.now();
const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-e2e-'));
let registry;
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    stopAll();
    removeFolder();
    process.exit(1);
  });
}

try {
  if (!values.built) {
    say('building');
    await run('nx', ['run-many', '-t', 'build', '--exclude=@ng-ssr/example-*,bench'], {
      cwd: root,
      env: env(),
      limitMs: 600_000,
    });
  }
  // Those of a release are there, from other machines, and stay.
  if (!values.packages || !existsSync(join(root, 'native/prebuilds'))) await buildAddons(addons);
  say('packing');
  const packed = await packAll(join(folder, 'tarballs'));
  const inWorkspaces = values.packages
    ? []
    : // Creating workspaces is waiting for npm, most of it.
      [checkChosenAddons(packed), checkInWorkspaces(packed)];
  await Promise.all([checkPackages(packed, { update: values.update, check }), ...inWorkspaces]);
} finally {
  stopAll();
  await registry?.close();
  if (values.keep) say(`kept ${folder}`);
  else removeFolder();
}
printResults();

async function checkChosenAddons(packed) {
  if (!names.includes('addons')) return;
  await inPlace('addons', (place) => checkAddons(packed, addons, { place, check }))();
}

async function checkInWorkspaces(packed) {
  if (rows.length === 0 && galleries.length === 0) return;
  registry = await startRegistry(packed);
  say('creating workspaces');
  const { npmrc } = registry;
  const tools = createTools(join(folder, 'tools'));
  // Half of a job is waiting: for npm, for a server, for the part of a build that has one thread.
  const limit = createLimit(positive('--jobs', values.jobs));
  const checkOn = async (angular) => {
    const own = rows.filter((row) => row.angular === angular.major);
    if (own.length === 0) return;
    const hasLint = values.all || own.some(({ extras }) => extras.includes('lint'));
    const starts = createStarts(join(folder, `starts-${angular.major}`), npmrc, angular, hasLint);
    // Before they are copied: these programs write into the folders below them.
    if (values.all) await checkStarts(angular, starts);
    // Now, beside the rows that need none of them; a row that needs one says why it is not there.
    for (const { start, packageManager } of own) {
      if (packageManager === 'npm') starts[start]?.().catch(() => undefined);
    }
    const context = { starts, tools, npmrc, check, say };
    await Promise.all(own.map((row) => limit(jobOf(row, angular, context))));
  };
  const inGallery = ({ version, variants }) =>
    inPlace(`gallery-${version}`, (place) =>
      checkVersion(version, variants, { npmrc, place, check }),
    );
  await Promise.all([
    ...galleries.map((gallery) => limit(inGallery(gallery))),
    ...angulars.map(checkOn),
  ]);
}

function jobOf(row, angular, context) {
  const { start, ...others } = row;
  const name = [start, angular.major, others.adapter, others.engine, others.packageManager];
  return inPlace(name.filter(Boolean).join('-').replaceAll(' ', '-'), async (place) => {
    if (!applications.includes(start)) {
      return checkCombination(row, angular, { ...context, place });
    }
    const { checkApplication } = await import(`./applications/${start}.mjs`);
    const inputs = { ...context, place, angular: angular.version, isWhole: values.all };
    return checkApplication(inputs);
  });
}

/** A job in a folder of its own, which is removed after it. */
function inPlace(name, job) {
  const place = join(folder, name);
  return async () => {
    await job(place);
    if (!values.keep) rmSync(place, { recursive: true, force: true });
  };
}

/** Again where a program that was just stopped has still written. */
function removeFolder() {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

/** What holds of each before our `ng add`, so that what fails after it is ours. */
async function checkStarts({ major }, starts) {
  for (const { start } of Object.values(engines)) {
    const title = `Angular ${major}, a new application ${start}`;
    const commands = ['prettier', 'lint', ...(start === engines.common.start ? ['test'] : [])];
    await checkAsUsersDo(await starts[start](), commands, { title, check });
  }
}

/** Runs one check and remembers how it went; what fails does not end the others. */
async function check(name, action) {
  const begun = performance.now();
  let failure;
  let note;
  try {
    note = await action();
  } catch (error) {
    failure = error;
  }
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  results.push({ name, failure, note, seconds });
  say(`${failure ? 'FAILED' : 'ok'} ${name}${note ? `: ${note}` : ''} (${seconds} s)`);
  if (failure) console.log(failure.stack ?? failure);
  return failure === undefined;
}

function printResults() {
  const width = Math.max(...results.map(({ name }) => name.length));
  console.log('');
  for (const { name, failure, note = '', seconds } of results) {
    const outcome = failure ? 'FAILED' : 'ok    ';
    console.log(`${outcome} ${name.padEnd(width)} ${seconds.padStart(6)} s  ${note}`);
  }
  console.log(`\n${describeTime()}`);
  const failed = results.filter(({ failure }) => failure !== undefined);
  // Once more: of a long log often only the end is kept.
  for (const { name, failure } of failed) {
    const said = String(failure.message ?? failure).slice(0, MESSAGE_END);
    console.log(`\nFAILED ${name}\n${said}`);
  }
  console.log(`\n${results.length - failed.length} passed, ${failed.length} failed`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}

function say(what) {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0).padStart(4);
  console.log(`[${seconds} s] ${what}`);
}

function positive(option, given) {
  const number = Number(given);
  if (Number.isInteger(number) && number > 0) return number;
  console.error(`${option} is "${given}"; allowed: a whole number from 1`);
  process.exit(1);
}

function choose(option, given, allowed) {
  const chosen = given?.split(',') ?? allowed;
  const unknown = chosen.filter((name) => !allowed.includes(name));
  if (unknown.length === 0) return chosen;
  console.error(`${option} is "${given}"; allowed: ${allowed.join(', ')}`);
  process.exit(1);
}
