import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Turn, TurnOrder } from '../measure/render-turn.ts';
import { shuffled } from '../measure/seeded-numbers.ts';
import { likenessTo } from './counted-ids.ts';
import type { Memory } from './side-process.ts';
import { type SideProcess, startSide } from './side-processes.ts';

/** The ways to render, the one that is the measure first. */
export const SIDES = ['bare', 'slow', 'ours', 'ours-thread'] as const;

/** How an application is measured. */
export interface Comparison extends TurnOrder {
  readonly sides: readonly string[];
  /** Sets of processes, one after the other: a process can be slower than the next of the same program. */
  readonly sets: number;
  /** Turns of each side in a set. */
  readonly rounds: number;
  /** After which memory is measured; they warm up, too. */
  readonly renders: number;
  readonly prefix: readonly string[];
}

/** What was found of one side. */
export interface SideResult {
  readonly side: string;
  /** Of all sets. */
  readonly turns: readonly Turn[];
  /** One in each set. */
  readonly memories: readonly Memory[];
  readonly bytes: number;
  /** Where its page is not the first side's. */
  readonly difference: string | undefined;
  readonly notices: readonly string[];
}

/** Renders a page of a built application by each side, in turns. */
export async function compareApplication(
  build: string,
  comparison: Comparison,
  next: () => number,
): Promise<readonly SideResult[]> {
  const stopBackend = await startBackend(build);
  const results: SideResult[][] = [];
  try {
    for (let set = 0; set < comparison.sets; set++) {
      results.push(await measureSet(build, comparison, next));
    }
  } finally {
    stopBackend();
  }
  return comparison.sides.map((side, at) => {
    const all = results.map((set) => set[at]!);
    return {
      side,
      turns: all.flatMap(({ turns }) => turns),
      memories: all.flatMap(({ memories }) => memories),
      bytes: all[0]!.bytes,
      difference: all.find(({ difference }) => difference !== undefined)?.difference,
      notices: [...new Set(all.flatMap(({ notices }) => notices))],
    };
  });
}

/** What the application asks for data, if its folder has one: it runs meanwhile, and prints a line when it listens. */
async function startBackend(build: string): Promise<() => void> {
  const program = join(build, 'backend.mjs');
  if (!existsSync(program)) return () => undefined;
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close').then(() => Promise.reject(new Error(`${program} has ended`)));
  await Promise.race([once(child.stdout, 'data'), ended]);
  ended.catch(() => undefined);
  return () => child.kill();
}

async function measureSet(
  build: string,
  comparison: Comparison,
  next: () => number,
): Promise<SideResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-applications-'));
  const processes: SideProcess[] = [];
  try {
    const { path, turnMs, concurrency, prefix } = comparison;
    for (const side of comparison.sides) {
      processes.push(startSide(side, build, folder, { path, turnMs, concurrency }, prefix));
    }
    return await measureProcesses(processes, comparison, next);
  } finally {
    for (const process of processes) process.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureProcesses(
  processes: readonly SideProcess[],
  { rounds, renders }: Comparison,
  next: () => number,
): Promise<SideResult[]> {
  const found = new Map(
    processes.map((process) => [process, { pages: [] as string[], turns: [] as Turn[] }]),
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
  const [first = '', last = ''] = found.get(processes[0]!)!.pages;
  const isLike = likenessTo(first, last);
  return processes.map((process) => {
    const { pages, turns } = found.get(process)!;
    const difference = isLike(first, pages[0]!) ?? isLike(last, pages[1]!);
    const bytes = Buffer.byteLength(pages[0]!);
    const own = { turns, memories: [memories.get(process)!], notices: process.notices() };
    return { side: process.side, bytes, difference, ...own };
  });
}
