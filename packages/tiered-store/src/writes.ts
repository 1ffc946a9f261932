/** Connections and open files at a time. */
const MOST_AT_ONCE = 32;

/** Work that no request waits for, within bounds: what has no room is not begun. */
export class Writes {
  readonly #maxBytes: number;
  readonly #waiting: (() => void)[] = [];
  readonly #all = new Set<Promise<void>>();
  #bytes = 0;
  #running = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Adds work.
   *
   * @param bytes - What it keeps in memory.
   * @param work - Never rejects.
   * @returns undefined if there is no room.
   */
  add(bytes: number, work: () => Promise<void>): Promise<void> | undefined {
    if (this.#bytes + bytes > this.#maxBytes) return undefined;
    this.#bytes += bytes;
    const done = this.#turn()
      .then(work)
      .finally(() => {
        this.#bytes -= bytes;
        this.#pass();
        this.#all.delete(done);
      });
    this.#all.add(done);
    return done;
  }

  /** Resolves when nothing is on its way. */
  async idle(): Promise<void> {
    while (this.#all.size > 0) await Promise.all(this.#all);
  }

  async #turn(): Promise<void> {
    if (this.#running < MOST_AT_ONCE) this.#running++;
    else await new Promise<void>((go) => this.#waiting.push(go));
  }

  /** Gives the turn to the next one: what is added meanwhile must not take it too. */
  #pass(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#running--;
    else next();
  }
}
