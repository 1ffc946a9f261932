/** What the next measurement changes of an average: RFC 6298 takes the same for round trips. */
const WEIGHT = 1 / 8;

/** How long renders have taken lately: a moving average over those that have ended. */
export class Pace {
  #durationMs = 0;

  /** From a render's begin to its end; 0 while nothing is known. */
  get durationMs(): number {
    return this.#durationMs;
  }

  note(durationMs: number): void {
    const earlier = this.#durationMs;
    this.#durationMs = earlier === 0 ? durationMs : earlier + (durationMs - earlier) * WEIGHT;
  }
}
