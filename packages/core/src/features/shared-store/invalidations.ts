/** The invalidations of one path: one in flight, and at most one after it. */
interface Line<T> {
  next: T | undefined;
  done: Promise<void>;
}

/** Sends one invalidation at a time for each path: those requested meanwhile are sent as one. */
export class Invalidations<T> {
  readonly #lines = new Map<string, Line<T>>();
  readonly #send: (path: string, purge: T) => Promise<void>;

  constructor(send: (path: string, purge: T) => Promise<void>) {
    this.#send = send;
  }

  /** Rejects as `send` does. */
  add(path: string, purge: T): Promise<void> {
    const inFlight = this.#lines.get(path);
    if (inFlight !== undefined) {
      inFlight.next = purge;
      return inFlight.done;
    }
    const line: Line<T> = { next: purge, done: Promise.resolve() };
    this.#lines.set(path, line);
    return (line.done = this.#sendAll(path, line));
  }

  async #sendAll(path: string, line: Line<T>): Promise<void> {
    try {
      while (line.next !== undefined) {
        const purge = line.next;
        line.next = undefined;
        await this.#send(path, purge);
      }
    } finally {
      this.#lines.delete(path);
    }
  }
}
