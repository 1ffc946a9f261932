/**
 * What renders of built applications cost, by Angular's engine called bare and by ng-ssr:
 *
 *   npm run applications -w @ng-ssr/bench -- FOLDER[=/path] [FOLDER[=/path]...] [--sets 3] [--rounds 7]
 *     [--turn 1000] [--renders 1000] [--sides app/bare,app/slow,app/ours,app/ours-thread,common/bare,common/ours]
 *
 * A folder has the builds `app`, for the app engine, and `common`, for CommonEngine. Each has `browser` and `server`,
 * whose `server.mjs` exports the `render` of `render-app/src/sides`: see add-entry.ts. It prints a row for each side
 * as soon as an application is measured.
 */
import { availableParallelism, cpus, loadavg } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Turn } from '../measure/render-turn.ts';
import { separateCores } from '../measure/cores.ts';
import { numbersFrom } from '../measure/seeded-numbers.ts';
import { quartilesOf } from '../measure/spread.ts';
import {
  compareApplication,
  type Comparison,
  type SideResult,
  SIDES,
} from './compare-application.ts';
import type { VoidTurn } from './side-process.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sets: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '7' },
    turn: { type: 'string', default: '1000' },
    renders: { type: 'string', default: '1000' },
    sides: { type: 'string', default: SIDES.join() },
  },
});
const seed = Date.now() % 2 ** 32;
const next = numbersFrom(seed);
const CONCURRENCY = 4;

console.log(
  `Node ${process.versions.node}, ${availableParallelism()} x ${cpus()[0]?.model.trim()}, load ` +
    `${loadavg()[0]!.toFixed(2)}, seed ${seed}. CPU of all threads per render; ratios of the engine called bare in ` +
    `the same round, median (quartiles) of ${values.sets} x ${values.rounds} rounds; memory after full ` +
    `collections and ${values.renders} renders, the median of ${values.sets} processes.\n`,
);
const WIDTHS = [44, 16, 9, 18, 9, 9, 9];
const print = (cells: readonly string[]): void =>
  console.log(
    cells
      .map((cell, at) => (at < 2 ? cell.padEnd(WIDTHS[at]!) : cell.padStart(WIDTHS[at]!)))
      .join(' '),
  );
print(['page', 'side', 'CPU ms', 'ratio', 'GC ms', 'RSS MB', 'heap MB']);
for (const argument of positionals) {
  const [folder, path = '/'] = argument.split('=') as [string, string?];
  const comparison: Comparison = {
    path,
    sides: values.sides.split(','),
    sets: Number(values.sets),
    rounds: Number(values.rounds),
    turnMs: Number(values.turn),
    renders: Number(values.renders),
    concurrency: CONCURRENCY,
    prefix: separateCores().allPrefix,
  };
  // npm runs this in the folder of the package.
  const build = resolve(process.env['INIT_CWD'] ?? '.', folder);
  try {
    const results = await compareApplication(build, comparison, next);
    for (const result of results) {
      report(
        argument,
        result,
        results.find(({ side }) => side === result.base)!,
      );
    }
  } catch (error) {
    console.error(`${argument}:`, error);
    process.exitCode = 1;
  }
}

function report(page: string, result: SideResult, base: SideResult): void {
  const { side, memories, bytes, difference, notices } = result;
  const turns = result.turns.filter(isRendered);
  const ratio = quartilesOf(
    result.turns.flatMap((turn, round) => {
      const measure = base.turns[round]!;
      return isRendered(turn) && isRendered(measure) ? turn.cpuUs / measure.cpuUs : [];
    }),
  );
  const middle = (all: readonly number[], digits: number): string =>
    quartilesOf(all).median.toFixed(digits);
  const ms = (all: readonly number[]): string =>
    middle(
      all.map((us) => us / 1000),
      2,
    );
  print([
    side === base.side ? `${page.slice(-34)} ${(bytes / 1024).toFixed(0)} KB` : '',
    side,
    ms(turns.map(({ cpuUs }) => cpuUs)),
    `${ratio.median.toFixed(2)} (${ratio.lower.toFixed(2)}-${ratio.upper.toFixed(2)})`,
    ms(turns.map(({ gcUs }) => gcUs)),
    middle(
      memories.map(({ residentMb }) => residentMb),
      0,
    ),
    middle(
      memories.map(({ heapMb }) => heapMb),
      1,
    ),
  ]);
  if (difference !== undefined) {
    console.log(`  another page: it ${difference}`);
    process.exitCode = 1;
  }
  const voids = result.turns.flatMap((turn) => (isRendered(turn) ? [] : turn.voidBecause));
  if (voids.length > 0) {
    const reasons = [...new Set(voids)].join('; ');
    console.log(`  ${voids.length} of ${result.turns.length} turns are void: ${reasons}`);
    process.exitCode = 1;
  }
  for (const notice of notices) console.log(`  ${notice}`);
}

function isRendered(turn: Turn | VoidTurn): turn is Turn {
  return 'cpuUs' in turn;
}
