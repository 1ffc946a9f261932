/** What renders of built applications cost, by Angular's engine called bare and by ng-ssr: see `--help`. */
import { availableParallelism, cpus, loadavg } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { separateCores } from '../measure/cores.ts';
import { numbersFrom } from '../measure/seeded-numbers.ts';
import { compareApplication, SIDES } from './compare-application.ts';
import { printHead, printSide } from './print-comparison.ts';
import { profileApplication, PROFILED_SIDES } from './profile-application.ts';
import { functionsTable, ownersTable } from './profile-tables.ts';

const HELP = `npm run applications -w @ng-ssr/bench -- FOLDER[=/path]... [--sets 3] [--rounds 7] [--turn 1000] [--renders 1000]
  [--sides ${SIDES.join()}] [--profile]

Renders a page of each application by each side, and prints CPU time, ratios and memory of a side as a row.

A folder has the builds "app", for the app engine, and "common", for CommonEngine. Each has "browser" and "server", whose
server.mjs exports the "render" of render-app/src/sides: "npm run applications:entry -w @ng-ssr/bench -- WORKSPACE" adds
targets that make both. A backend.mjs in the folder runs meanwhile; it prints a line when it listens.

  --sets      sets of processes, one after the other
  --rounds    turns of each side in a set
  --turn      CPU time of a turn in ms
  --renders   renders before memory is measured
  --sides     what is compared, of each build the measure first
  --profile   takes a V8 CPU profile of warm renders instead, and prints as Markdown whose code takes how much of them, and
              the most expensive functions. By default of ${PROFILED_SIDES.join()}, each for
              rounds x turn ms; sets and renders mean nothing then. Functions are found in the sources by the source
              maps of the builds; the time of a function that V8 inlined can be its caller's. "ms" is the part of the
              main thread's CPU time per render, measured without the profiler.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sets: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '7' },
    turn: { type: 'string', default: '1000' },
    renders: { type: 'string', default: '1000' },
    sides: { type: 'string' },
    profile: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(HELP);
  process.exit();
}
const sides = values.sides?.split(',') ?? (values.profile ? PROFILED_SIDES : SIDES);
const rounds = Number(values.rounds);
const turnMs = Number(values.turn);
const concurrency = 4;
const { allPrefix: prefix } = separateCores();
const seed = Date.now() % 2 ** 32;
const next = numbersFrom(seed);

const machine =
  `Node ${process.versions.node}, ${availableParallelism()} x ${cpus()[0]?.model.trim()}, load ` +
  `${loadavg()[0]!.toFixed(2)}, seed ${seed}.`;
if (values.profile) {
  console.log(
    `${machine} V8 CPU profiles of ${(rounds * turnMs) / 1000} s of CPU time of each side.`,
  );
} else {
  console.log(
    `${machine} CPU of all threads per render; ratios of the engine called bare in the same round, median (quartiles) of ` +
      `${values.sets} x ${values.rounds} rounds; memory after full collections and ${values.renders} renders, the ` +
      `median of ${values.sets} processes.\n`,
  );
  printHead();
}
for (const argument of positionals) {
  const [folder, path = '/'] = argument.split('=') as [string, string?];
  // npm runs this in the folder of the package.
  const build = resolve(process.env['INIT_CWD'] ?? '.', folder);
  try {
    await (values.profile ? profile(argument, build, path) : compare(argument, build, path));
  } catch (error) {
    console.error(`${argument}:`, error);
    process.exitCode = 1;
  }
}

async function compare(page: string, build: string, path: string): Promise<void> {
  const order = { path, sides, rounds, turnMs, concurrency, prefix };
  const counts = { sets: Number(values.sets), renders: Number(values.renders) };
  const results = await compareApplication(build, { ...order, ...counts }, next);
  for (const result of results) {
    printSide(
      page,
      result,
      results.find(({ side }) => side === result.base)!,
    );
  }
}

async function profile(page: string, build: string, path: string): Promise<void> {
  const order = { path, sides, turnMs: rounds * turnMs, concurrency, prefix };
  const profiles = await profileApplication(build, order, next);
  const tables = [ownersTable(profiles), ...profiles.map(functionsTable)];
  console.log(`\n## ${page}\n\n${tables.join('\n\n')}`);
}
