/** A place in a {@link WaitingLine}. */
export interface Place<T> {
  readonly value: T;
  older: Place<T> | undefined;
  newer: Place<T> | undefined;
  isTaken: boolean;
}

/** A double-ended queue that also removes entries from the middle, all in constant time. */
export class WaitingLine<T> {
  #oldest: Place<T> | undefined;
  #newest: Place<T> | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get oldest(): T | undefined {
    return this.#oldest?.value;
  }

  get newest(): T | undefined {
    return this.#newest?.value;
  }

  add(value: T): Place<T> {
    const place: Place<T> = { value, older: this.#newest, newer: undefined, isTaken: true };
    if (this.#newest === undefined) this.#oldest = place;
    else this.#newest.newer = place;
    this.#newest = place;
    this.#size++;
    return place;
  }

  delete(place: Place<T>): void {
    if (!place.isTaken) return;
    place.isTaken = false;
    this.#size--;
    const { older, newer } = place;
    if (older === undefined) this.#oldest = newer;
    else older.newer = newer;
    if (newer === undefined) this.#newest = older;
    else newer.older = older;
  }
}
