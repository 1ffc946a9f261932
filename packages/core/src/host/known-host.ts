/** A host that the server remembers. Times are those of `performance.now()`. */
export interface KnownHost {
  readonly isAllowed: boolean;
  readonly verdictAtMs: number;
  /** When its verdict should be renewed. */
  readonly renewAtMs: number;
  /** Until then it is used without a look at the other times. */
  usedUntilMs: number;
  /** Whether its renewal has failed. */
  hasFailed: boolean;
}

/** Until when a verdict may be copied: not while another may come at any time. */
export function sureUntilMs({ renewAtMs, usedUntilMs, hasFailed }: KnownHost): number {
  return hasFailed ? usedUntilMs : renewAtMs;
}
