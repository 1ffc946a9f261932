/** The weight of the next measurement in the average, as in RFC 6298 for round-trip times. */
const WEIGHT = 1 / 8;

/** The moving average of how long successful renders have taken. */
export class Pace {
  #durationMs = 0;

  /** From the start of a render to its end; 0 before the first one ends. */
  get durationMs(): number {
    return this.#durationMs;
  }

  record(durationMs: number): void {
    const earlier = this.#durationMs;
    this.#durationMs = earlier === 0 ? durationMs : earlier + (durationMs - earlier) * WEIGHT;
  }
}
