/** A small seeded generator (mulberry32), so that a failing run can be repeated. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** 32 random bits. */
  word(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  }

  /** From 0 up to, but not including, 1. */
  fraction(): number {
    return this.word() / 2 ** 32;
  }

  /** An integer from 0 up to, but not including, this number. */
  below(end: number): number {
    return Math.floor(this.fraction() * end);
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  /** True with this probability. */
  chance(probability: number): boolean {
    return this.fraction() < probability;
  }
}
