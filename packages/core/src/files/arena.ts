/**
 * Memory for the bytes of a whole build, in one piece. In pieces of a file each they are parts of the C library's heap,
 * which stays as large when they are freed: a piece of more than 32 MiB goes back to the system.
 */
export class Arena {
  readonly #memory: ArrayBufferLike;
  #end = 0;

  constructor(memory: ArrayBufferLike) {
    this.#memory = memory;
  }

  /** The bytes after those that are kept, which the next call gives again; fewer if there are no more. */
  room(lengthBytes: number): Buffer {
    const left = this.#memory.byteLength - this.#end;
    return Buffer.from(this.#memory, this.#end, Math.min(lengthBytes, left));
  }

  /** Keeps what {@link room} has given, or the first bytes of it. Bytes of other memory are left where they are. */
  keep(bytes: Uint8Array): void {
    if (bytes.buffer === this.#memory) this.#end = bytes.byteOffset + bytes.byteLength;
  }

  /** A copy that is kept. The arena must have room for it. */
  copy(bytes: Uint8Array): Buffer {
    const copy = this.room(bytes.byteLength);
    copy.set(bytes);
    this.keep(copy);
    return copy;
  }
}
