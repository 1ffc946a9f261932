/** Numbers of a block. */
const SIZE = 1024;

/** Views whose numbers have the same upper bits. */
interface Block {
  readonly views: unknown[];
  count: number;
}

/**
 * Views by their numbers, which count up and never come again. A block of numbers is dropped with its last view, and
 * refers to no other block: what a garbage collection has left in the old generation keeps no later view.
 */
export class NumberedViews {
  /** Not a Map: the table that a Map replaces refers to its successor. */
  readonly #blocks: Record<number, Block | undefined> = {};
  #lastNumber = -1;
  #last: Block | undefined;

  get size(): number {
    let size = 0;
    for (const block of Object.values(this.#blocks)) size += block?.count ?? 0;
    return size;
  }

  set(key: number, view: unknown): void {
    let block = this.#blockOf(key);
    if (block === undefined) {
      block = { views: new Array<unknown>(SIZE).fill(undefined), count: 0 };
      this.#blocks[Math.floor(key / SIZE)] = block;
      this.#last = block;
    }
    const at = key % SIZE;
    if (block.views[at] === undefined) block.count++;
    block.views[at] = view;
  }

  get(key: number): unknown {
    return this.#blockOf(key)?.views[key % SIZE];
  }

  delete(key: number): boolean {
    const block = this.#blockOf(key);
    const at = key % SIZE;
    if (block === undefined || block.views[at] === undefined) return false;
    block.views[at] = undefined;
    block.count--;
    if (block.count === 0) {
      delete this.#blocks[Math.floor(key / SIZE)];
      this.#last = undefined;
    }
    return true;
  }

  clear(): void {
    for (const number of Object.keys(this.#blocks)) delete this.#blocks[Number(number)];
    this.#last = undefined;
  }

  *entries(): Generator<[number, unknown]> {
    for (const [number, block] of Object.entries(this.#blocks)) {
      for (const [at, view] of block?.views.entries() ?? []) {
        if (view !== undefined) yield [Number(number) * SIZE + at, view];
      }
    }
  }

  #blockOf(key: number): Block | undefined {
    const number = Math.floor(key / SIZE);
    if (this.#last === undefined || number !== this.#lastNumber) {
      this.#lastNumber = number;
      this.#last = this.#blocks[number];
    }
    return this.#last;
  }
}
