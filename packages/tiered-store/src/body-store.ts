/**
 * Where bodies of pages are, such as a folder or a bucket. A name stands for its bytes: they never change, so that no body
 * has to be purged, and what is damaged is found. Every error is one of the store: the page comes from the next store, or
 * is rendered.
 */
export interface BodyStore {
  /** For messages, without secrets: `the folder /var/cache/shop`. */
  readonly name: string;
  /** How long a page waits for a body. In milliseconds. A server leaves a page store alone that takes 500 in all. */
  readonly timeoutMs: number;
  /** Larger bodies are not kept. Missing without a limit. */
  readonly maxBodyBytes?: number | undefined;
  /**
   * The bytes as they were put; undefined if there are none, or more than `maxBytes`.
   *
   * @param name - Of letters, digits and slashes: `1/ab/cdef01`.
   * @param signal - Aborts when the result is no longer needed.
   */
  get(name: string, maxBytes: number, signal: AbortSignal): Promise<Uint8Array | undefined>;
  /** Puts the bytes, also where there are some: those may be damaged, or at the end of their lifetime. */
  put(name: string, bytes: Uint8Array, signal: AbortSignal): Promise<void>;
}
