import type { Turn } from '../measure/render-turn.ts';
import { quartilesOf } from '../measure/spread.ts';
import type { SideResult } from './compare-application.ts';
import type { VoidTurn } from './side-process.ts';

const WIDTHS = [44, 16, 9, 18, 9, 9, 9];

/** Prints the names of the columns. */
export function printHead(): void {
  print(['page', 'side', 'CPU ms', 'ratio', 'GC ms', 'RSS MB', 'heap MB']);
}

function print(cells: readonly string[]): void {
  console.log(
    cells
      .map((cell, at) => (at < 2 ? cell.padEnd(WIDTHS[at]!) : cell.padStart(WIDTHS[at]!)))
      .join(' '),
  );
}

/** Prints a row for a side, and below it what is wrong with its pages or turns: then the process fails. */
export function printSide(page: string, result: SideResult, base: SideResult): void {
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
