/**
 * Whether a thread has asked for a purge that was not passed on. Each has a counter, which may pass 2^31.
 *
 * @param asked - Shared by all threads.
 * @param told - What this thread has seen.
 */
export function isBehind(asked: Int32Array<SharedArrayBuffer>, told: Int32Array): boolean {
  for (let i = 0; i < told.length; i++) {
    if (((Atomics.load(asked, i) - told[i]!) | 0) > 0) return true;
  }
  return false;
}
