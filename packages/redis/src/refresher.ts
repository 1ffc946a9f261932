/**
 * Runs one look-up at a time. A request during one causes another one after it, because the first may have read before
 * the change that the request is about.
 */
export class Refresher {
  readonly #look: () => Promise<void>;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(look: () => Promise<void>) {
    this.#look = look;
  }

  /** Resolves after a look-up that began after this call. */
  refresh(): Promise<void> {
    if (this.#running === undefined) {
      this.#running = this.#look().finally(() => (this.#running = undefined));
      return this.#running;
    }
    this.#next ??= this.#running
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        return this.refresh();
      });
    return this.#next;
  }
}
