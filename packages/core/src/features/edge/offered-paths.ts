/** 2^20 bits: with 100,000 paths one other path in thirty is taken for one of them. */
const BYTES = 2 ** 17;

/**
 * Remembers the paths of the pages that an edge may have got from this process, in constant memory (a Bloom
 * filter): a client that changes something at random paths must not cause purges.
 */
export class OfferedPaths {
  readonly #bits = new Uint8Array(BYTES);

  /** @param tag - The tag of the path, which ends with a hash. */
  add(tag: string): void {
    for (const bit of bitsOf(tag)) this.#bits[bit >> 3]! |= 1 << (bit & 7);
  }

  mayHave(tag: string): boolean {
    return bitsOf(tag).every((bit) => (this.#bits[bit >> 3]! & (1 << (bit & 7))) !== 0);
  }
}

function bitsOf(tag: string): readonly number[] {
  const hash = tag.slice(-16);
  return [hash.slice(0, 8), hash.slice(8)].map((half) => Number.parseInt(half, 16) % (BYTES * 8));
}
