import type { Answered } from './ask.ts';
import { type Rung, RUNGS } from './rungs.ts';

/** Counts answers and keeps how long they took, by rung. */
export class Tally {
  readonly problems = new Map<string, number>();
  readonly #times = new Map<Rung, number[]>(RUNGS.map((rung) => [rung, []]));

  add({ rung, ms, problem }: Answered): void {
    this.#times.get(rung)!.push(ms);
    if (problem !== undefined) this.problems.set(problem, (this.problems.get(problem) ?? 0) + 1);
  }

  count(...rungs: readonly Rung[]): number {
    return this.#select(rungs).reduce((sum, times) => sum + times.length, 0);
  }

  /** The time that the given share of the answers has kept, in milliseconds. */
  quantile(share: number, ...rungs: readonly Rung[]): number {
    const times = this.#select(rungs)
      .flat()
      .sort((a, b) => a - b);
    return times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  }

  #select(rungs: readonly Rung[]): number[][] {
    return (rungs.length === 0 ? RUNGS : rungs).map((rung) => this.#times.get(rung)!);
  }
}
