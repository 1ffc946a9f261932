import type { Answered } from './ask.ts';
import { type Fallback, FALLBACKS } from './fallbacks.ts';

/** Counts answers and keeps how long they took, by fallback. */
export class Tally {
  readonly problems = new Map<string, number>();
  readonly #times = new Map<Fallback, number[]>(FALLBACKS.map((fallback) => [fallback, []]));

  add({ fallback, ms, problem }: Answered): void {
    this.#times.get(fallback)!.push(ms);
    if (problem !== undefined) this.problems.set(problem, (this.problems.get(problem) ?? 0) + 1);
  }

  count(...fallbacks: readonly Fallback[]): number {
    return this.#select(fallbacks).reduce((sum, times) => sum + times.length, 0);
  }

  /** The time that the given share of the answers has kept, in milliseconds. */
  quantile(share: number, ...fallbacks: readonly Fallback[]): number {
    const times = this.#select(fallbacks)
      .flat()
      .sort((a, b) => a - b);
    return times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  }

  #select(fallbacks: readonly Fallback[]): number[][] {
    return (fallbacks.length === 0 ? FALLBACKS : fallbacks).map((fallback) =>
      this.#times.get(fallback)!,
    );
  }
}
