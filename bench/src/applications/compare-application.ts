import { dirname } from 'node:path';
import type { Turn } from '../measure/render-turn.ts';
import { shuffled } from '../measure/seeded-numbers.ts';
import { startBackend } from './backend.ts';
import { likenessTo } from './counted-ids.ts';
import type { Memory, VoidTurn } from './side-process.ts';
import type { SideProcess } from './side-processes.ts';
import { builtSides, type SidesOrder, withSides } from './with-sides.ts';

/** The builds of an application and the ways to render it, of each build the one that is the measure first. */
export const SIDES = [
  'app/bare',
  'app/slow',
  'app/ours',
  'app/ours-thread',
  'common/bare',
  'common/ours',
] as const;

/** How an application is measured. */
export interface Comparison extends SidesOrder {
  /** Sets of processes, one after the other: a process can be slower than the next of the same program. */
  readonly sets: number;
  /** Turns of each side in a set. */
  readonly rounds: number;
  /** After which memory is measured; they warm up, too. */
  readonly renders: number;
}

/** What was found of one side. */
export interface SideResult {
  readonly side: string;
  /** The side that is its measure. */
  readonly base: string;
  /** Of all sets. */
  readonly turns: readonly (Turn | VoidTurn)[];
  /** One in each set. */
  readonly memories: readonly Memory[];
  readonly bytes: number;
  /** Where its page is not that of its measure. */
  readonly difference: string | undefined;
  readonly notices: readonly string[];
}

/**
 * Renders a page of a built application by each side, in turns. The sides of a build that is not there are left out.
 *
 * @param folder - Of the application's builds.
 */
export async function compareApplication(
  folder: string,
  given: Comparison,
  next: () => number,
): Promise<readonly SideResult[]> {
  const sides = builtSides(folder, given.sides);
  const comparison = { ...given, sides };
  const stopBackend = await startBackend(folder);
  const results: SideResult[][] = [];
  try {
    for (let set = 0; set < comparison.sets; set++) {
      results.push(
        await withSides(folder, comparison, (processes) =>
          measureProcesses(processes, comparison, next),
        ),
      );
    }
  } finally {
    stopBackend();
  }
  return sides.map((side, at) => {
    const all = results.map((set) => set[at]!);
    return {
      side,
      base: all[0]!.base,
      turns: all.flatMap(({ turns }) => turns),
      memories: all.flatMap(({ memories }) => memories),
      bytes: all[0]!.bytes,
      difference: all.find(({ difference }) => difference !== undefined)?.difference,
      notices: [...new Set(all.flatMap(({ notices }) => notices))],
    };
  });
}

async function measureProcesses(
  processes: readonly SideProcess[],
  { rounds, renders }: Comparison,
  next: () => number,
): Promise<SideResult[]> {
  const found = new Map(
    processes.map((process) => [
      process,
      { pages: [] as string[], turns: [] as (Turn | VoidTurn)[] },
    ]),
  );
  const readPages = async (): Promise<void> => {
    for (const [process, { pages }] of found) pages.push(await process.ask({ ask: 'page' }));
  };
  await readPages();
  const memories = new Map<SideProcess, Memory>();
  for (const process of shuffled(processes, next)) {
    memories.set(process, await process.ask({ ask: 'memory', renders }));
  }
  for (let round = 0; round < rounds; round++) {
    for (const process of shuffled(processes, next)) {
      found.get(process)!.turns.push(await process.ask({ ask: 'turn' }));
    }
  }
  await readPages();
  return processes.map((process) => {
    const { pages, turns } = found.get(process)!;
    const base = processes.find(({ side }) => dirname(side) === dirname(process.side))!;
    const [first = '', last = ''] = found.get(base)!.pages;
    const isLike = likenessTo(first, last);
    const difference = isLike(first, pages[0]!) ?? isLike(last, pages[1]!);
    const bytes = Buffer.byteLength(pages[0]!);
    const own = { turns, memories: [memories.get(process)!], notices: process.notices() };
    return { side: process.side, base: base.side, bytes, difference, ...own };
  });
}
