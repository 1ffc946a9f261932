/** Active and idle time of threads, in milliseconds. */
export interface ThreadTimes {
  readonly activeMs: number;
  readonly idleMs: number;
}

/** The share of the time between two readings in which threads were active; 0 where it is not measured. */
export function utilisationBetween(earlier: ThreadTimes, later: ThreadTimes): number {
  const activeMs = later.activeMs - earlier.activeMs;
  const idleMs = later.idleMs - earlier.idleMs;
  // The times of a thread that was replaced in between start at 0 again.
  if (activeMs <= 0 || idleMs < 0) return 0;
  return activeMs / (activeMs + idleMs);
}
