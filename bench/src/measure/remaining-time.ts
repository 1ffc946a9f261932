/** How long a list of steps will still take: as announced at first, then more and more by the pace of its own steps. */
export class RemainingTime {
  readonly #steps: number;
  readonly #announcedMs: number;
  readonly #now: () => number;
  readonly #startMs: number;
  #done = 0;
  #lastMs: number;

  /** @param announcedMs - Of all steps together. */
  constructor(steps: number, announcedMs: number, now: () => number = () => performance.now()) {
    this.#steps = steps;
    this.#announcedMs = announcedMs;
    this.#now = now;
    this.#startMs = this.#lastMs = now();
  }

  /** A step has ended. */
  step(): void {
    this.#done++;
    this.#lastMs = this.#now();
  }

  /** For example `about 4 min left`. */
  toString(): string {
    return `about ${toDuration(this.#leftMs())} left`;
  }

  #leftMs(): number {
    const announced = this.#announcedMs / this.#steps;
    const pace = (announced + this.#lastMs - this.#startMs) / (this.#done + 1);
    const left = this.#steps - this.#done;
    const ofThisStep = Math.max(0, pace - (this.#now() - this.#lastMs));
    return left === 0 ? 0 : ofThisStep + (left - 1) * pace;
  }
}

/** Minutes from two minutes on, before that tens of seconds. */
export function toDuration(ms: number): string {
  if (ms >= 120_000) return `${Math.round(ms / 60_000)} min`;
  return `${Math.max(10, Math.ceil(ms / 10_000) * 10)} s`;
}
