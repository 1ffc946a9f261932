/** A place in a {@link WaitingLine}. */
export interface Place<T> {
  readonly value: T;
  older: Place<T> | undefined;
  newer: Place<T> | undefined;
  isTaken: boolean;
}

/** A double-ended queue that also removes entries from the middle, all in constant time. */
export class WaitingLine<T> {
  size = 0;
  oldest: T | undefined;
  newest: T | undefined;
  #first: Place<T> | undefined;
  #last: Place<T> | undefined;

  add(value: T): Place<T> {
    const place: Place<T> = { value, older: this.#last, newer: undefined, isTaken: true };
    if (this.#last !== undefined) this.#last.newer = place;
    this.#setEnds(this.#first ?? place, place);
    this.size++;
    return place;
  }

  delete(place: Place<T>): void {
    if (!place.isTaken) return;
    place.isTaken = false;
    this.size--;
    const { older, newer } = place;
    if (older !== undefined) older.newer = newer;
    if (newer !== undefined) newer.older = older;
    this.#setEnds(
      place === this.#first ? newer : this.#first,
      place === this.#last ? older : this.#last,
    );
  }

  #setEnds(first: Place<T> | undefined, last: Place<T> | undefined): void {
    this.#first = first;
    this.#last = last;
    this.oldest = first?.value;
    this.newest = last?.value;
  }
}
