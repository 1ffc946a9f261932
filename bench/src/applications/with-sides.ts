import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TurnOrder } from '../measure/render-turn.ts';
import { type SideProcess, startSide } from './side-processes.ts';

/** What the processes of an application's sides render, and how they are started. */
export interface SidesOrder extends TurnOrder {
  readonly sides: readonly string[];
  /** What to put before the command of a side. */
  readonly prefix: readonly string[];
}

/** The sides whose build is there. */
export function builtSides(folder: string, sides: readonly string[]): readonly string[] {
  const built = sides.filter((side) => existsSync(join(folder, dirname(side))));
  if (built.length === 0) throw new Error(`${folder} has no build of ${sides.join(', ')}`);
  return built;
}

/** Starts a process for each side, and stops them when the work is done. Their copies of the build are there until then. */
export async function withSides<Result>(
  builds: string,
  { sides, prefix, path, turnMs, concurrency }: SidesOrder,
  work: (processes: readonly SideProcess[]) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-applications-'));
  const processes: SideProcess[] = [];
  try {
    for (const side of sides) {
      processes.push(startSide(side, builds, folder, { path, turnMs, concurrency }, prefix));
    }
    return await work(processes);
  } finally {
    for (const process of processes) process.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
