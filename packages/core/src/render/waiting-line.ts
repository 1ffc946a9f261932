/** An entry of a {@link WaitingLine}. */
export interface QueueEntry<T> {
  readonly value: T;
  older: QueueEntry<T> | undefined;
  newer: QueueEntry<T> | undefined;
  isQueued: boolean;
}

/** A double-ended queue that also removes entries from the middle, all in constant time. */
export class WaitingLine<T> {
  size = 0;
  oldest: T | undefined;
  newest: T | undefined;
  #first: QueueEntry<T> | undefined;
  #last: QueueEntry<T> | undefined;

  add(value: T): QueueEntry<T> {
    const entry: QueueEntry<T> = { value, older: this.#last, newer: undefined, isQueued: true };
    if (this.#last !== undefined) this.#last.newer = entry;
    this.#setEnds(this.#first ?? entry, entry);
    this.size++;
    return entry;
  }

  delete(entry: QueueEntry<T>): void {
    if (!entry.isQueued) return;
    entry.isQueued = false;
    this.size--;
    const { older, newer } = entry;
    if (older !== undefined) older.newer = newer;
    if (newer !== undefined) newer.older = older;
    this.#setEnds(
      entry === this.#first ? newer : this.#first,
      entry === this.#last ? older : this.#last,
    );
  }

  #setEnds(first: QueueEntry<T> | undefined, last: QueueEntry<T> | undefined): void {
    this.#first = first;
    this.#last = last;
    this.oldest = first?.value;
    this.newest = last?.value;
  }
}
