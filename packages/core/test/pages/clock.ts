import { afterEach, beforeEach, vi } from 'vitest';

/** When each test of a file with {@link useClock} begins. */
export const START = Date.parse('2026-11-20T12:00:00Z');

/** Stops the clocks for every test of a file: time passes in {@link advance} only. */
export function useClock(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'], now: START });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
}

export function advance(seconds: number): void {
  vi.advanceTimersByTime(seconds * 1000);
}

/** Sets the wall clock on by `seconds`, or back; no time passes. */
export function setClock(seconds: number): void {
  vi.setSystemTime(Date.now() + seconds * 1000);
}

/** An HTTP-date, in `seconds` from now. */
export function httpDate(seconds = 0): string {
  return new Date(Date.now() + seconds * 1000).toUTCString();
}

/** Lets the event loop turn until something is so. `vi.waitFor` would move the clock. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = process.hrtime.bigint() + 60_000_000_000n;
  while (!(await isSo())) {
    if (process.hrtime.bigint() > deadline) throw new Error(`it never came: ${isSo.toString()}`);
    await turn();
  }
}

/** One turn of the event loop: what was ready to run has run. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
