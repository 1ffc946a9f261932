/**
 * What `performance.now()` lacks to the clock that all threads share: each thread's begins with its start, and
 * the wall clock may be set in between.
 */
const OFFSET_MS = Number(process.hrtime.bigint()) / 1e6 - performance.now();

/** A time of this thread's `performance.now()` by the clock of all threads. */
export function toCommonMs(ownMs: number): number {
  return ownMs + OFFSET_MS;
}

/** A time by the clock of all threads as this thread's `performance.now()`. */
export function toOwnMs(commonMs: number): number {
  return commonMs - OFFSET_MS;
}
